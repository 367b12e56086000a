/**
 * What every runtime has that talks to its tool over pipes: a process, its questions at a desk, what is shown of the conversation, its
 * state and its end. A runtime says how it is spoken, and what it keeps of that.
 */
import { invariant } from "../../../model/errors.js";
import type { PromptId, SessionId } from "../../../model/ids.js";
import type { PromptEvent } from "../../../model/prompt.js";
import type { Rejection } from "../../../model/answer/rejection.js";
import type { Reply } from "../../../model/answer/reply.js";
import { boundedWords, type ToolState } from "../../../model/tool-state.js";
import type {
  Adapter,
  AdapterEvent,
  InjectionGate,
  InjectionResult,
  SessionCapabilities,
  SessionSnapshot,
  WithdrawReason,
} from "../../../sdk/adapter.js";
import type { StampedPrompt } from "../../detection/stamp.js";
import { childEnvironment } from "../../process/child-environment.js";
import { openPiped, type PipedProcess } from "../../process/piped-process.js";
import type { TerminalExit } from "../../process/terminal.js";
import { EventQueue } from "../../prompts/event-queue.js";
import { confirmDelivery } from "../../prompts/confirm-delivery.js";
import { OutputStream } from "../output-stream.js";
import {
  PendingRequests,
  type PendingRequestsOptions,
  type RefusalReason,
} from "../../prompts/pending-requests.js";
import { promptSnapshot } from "../../prompts/prompt-snapshot.js";
import { questionStamper } from "../../prompts/stamp-question.js";
import { TERMINATE_GRACE_MS } from "../../prompts/limits.js";
import { ProtocolControls } from "./remote-controls.js";
import type { ProtocolClient, SpokenAdapterOptions, ProtocolTurn } from "./protocol-client.js";
import { StandingQuestion } from "./standing-question.js";
import { Transcript } from "./transcript.js";

export abstract class ProtocolAdapter<
  Options extends SpokenAdapterOptions,
  Talk extends ProtocolClient<Turn>,
  Turn extends ProtocolTurn,
> implements Adapter {
  readonly capabilities: SessionCapabilities = {
    chatTurns: false,
    screenView: true,
  };
  readonly remoteControls: ProtocolControls;
  protected readonly options: Options;
  protected readonly transcript: Transcript;
  protected readonly desk: PendingRequests;
  protected process: PipedProcess | null = null;
  protected talk: Talk | null = null;
  readonly #events = new EventQueue<AdapterEvent>();
  readonly #standing = new StandingQuestion({
    first: () => this.desk.first,
    draw: (event) => this.transcript.question(event),
    show: (text) => this.#show(text),
  });
  readonly #output = new OutputStream((full) => this.#hold(full));
  #ready: Promise<void> | null = null;
  #exited: Promise<TerminalExit> | null = null;
  #onAsking: () => void = () => undefined;
  #startedAt = 0;
  #outputAt = 0;

  /** `whyGone`: see `PendingRequestsOptions`. */
  constructor(options: Options, whyGone: PendingRequestsOptions["whyGone"]) {
    this.options = options;
    this.transcript = new Transcript({
      colours: options.colours,
      write: (text) => this.#print(text),
    });
    this.desk = new PendingRequests({
      stamp: questionStamper(options),
      isAttended: options.isAttended,
      whyGone,
      onRaised: (event) => this.onRaised(event),
      onWithdrawn: (event, reason) => this.onWithdrawn(event, reason),
      onAnswered: (event, label, by) => this.onAnswered(event, label, by),
      limit: { clock: options.clock, ms: options.answerWithinMs ?? 0 },
      onRefused: (question, why) => this.onRefused(question, why),
      confirmDelivery: () =>
        this.talk ? confirmDelivery(this.talk, this.exited, options.clock) : Promise.resolve("gone"),
    });
    this.remoteControls = new ProtocolControls({
      isAlive: () => this.process?.alive === true,
      desk: this.desk,
      isBusy: () => this.isBusy,
      interrupt: () => this.onInterrupted(),
    });
  }

  /** Begins to talk with the tool that was started. */
  protected abstract speak(tool: PipedProcess): Talk;
  /** What the tool said last, for whoever gives it its next task; null when that is nothing. */
  protected abstract get said(): string | null;

  /** Starts the tool; `ready` tells when it can be given a task. */
  startSession(command: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<SessionId> {
    const { environment, sessionId, cwd, clock } = this.options;
    const whole = childEnvironment({ ...environment, ...env }, sessionId);
    const tool = openPiped({ command, env: whole, cwd });
    this.process = tool;
    this.#startedAt = this.#outputAt = clock.monotonic();
    const talk = this.speak(tool);
    this.talk = talk;
    this.#exited = tool.exited.then((exit) => this.#onExit(exit));
    this.#ready = talk.open().then(() => {
      this.onOpened();
      this.#tellState("idle");
    });
    this.#ready.catch(() => undefined);
    this.#tellState("starting");
    return Promise.resolve(sessionId);
  }

  /** Resolves when the tool can be given its first task. Errors: ATB_TOOL_START_FAILED. */
  get ready(): Promise<void> {
    invariant(this.#ready, "the tool was not started");
    return this.#ready;
  }

  /** How the tool ended; all that it said is read by then. */
  get exited(): Promise<TerminalExit> {
    invariant(this.#exited, "the tool was not started");
    return this.#exited;
  }

  /** The latest that the tool wrote on stderr, as it stands: why it ended, if anything says so. */
  get complaint(): string {
    return (this.process?.complaint ?? "").trimEnd();
  }

  /** Ends the turn: every request that waits is answered with that. */
  cancel(): void {
    this.talk?.cancel();
    this.desk.withdrawAll("taken_back");
  }

  /** Whether anybody can answer from now on. A tool must not wait for nobody: what it asked is refused. */
  attended(isAttended: boolean): void {
    this.desk.attend(isAttended);
  }

  /** The question that has waited longest, for whoever sits here. */
  get asking(): PromptEvent | null {
    return this.#standing.asking;
  }

  /** Told whenever a question comes or goes. */
  onAsking(listener: () => void): void {
    this.#onAsking = listener;
  }

  /** An answer by the person who sits here. Returns why it was not taken, or null. */
  answerHere(promptId: PromptId, value: string): Rejection | null {
    return this.desk.answerHere(promptId, value);
  }

  readStream(): AsyncIterable<Uint8Array> {
    return this.#output.read();
  }

  events(): AsyncIterable<AdapterEvent> {
    return this.#events;
  }

  injectReply(reply: Reply, gate: InjectionGate): Promise<InjectionResult> {
    return this.desk.answer(reply, gate);
  }

  async terminateSession(sessionId: SessionId): Promise<void> {
    invariant(sessionId === this.options.sessionId, "terminateSession names another session");
    const tool = this.process;
    if (!tool) return;
    this.cancel();
    await this.talk?.farewell?.();
    tool.kill("SIGTERM");
    const stopTimer = this.options.clock.after(TERMINATE_GRACE_MS, () => void tool.kill("SIGKILL"));
    await this.exited;
    stopTimer();
  }

  snapshotContext(): Promise<SessionSnapshot> {
    const { clock, sessionId, tool } = this.options;
    const now = clock.monotonic();
    return Promise.resolve({
      sessionId,
      tool,
      ...promptSnapshot(this.desk, this.process),
      uptimeSeconds: (now - this.#startedAt) / 1000,
      lastOutputAgoSeconds: (now - this.#outputAt) / 1000,
      toolState: this.#state(),
    });
  }

  /** One task; resolves when the tool has ended its turn. Only when it is `ready` and no other turn is under way. */
  protected async turn(text: string): Promise<Turn> {
    invariant(this.talk, "the tool was not started");
    const turn = this.talk.prompt(text);
    this.#tellState("working");
    const end = await turn;
    this.desk.withdrawAll("taken_back");
    if (end.problem !== null) this.transcript.line(`The turn failed: ${end.problem}`, "red");
    else this.transcript.turnEnd(end.stopReason);
    if (this.process?.alive) this.#tellState("idle");
    return end;
  }

  /** A person far away may interrupt it now. */
  protected get isBusy(): boolean {
    return this.talk?.isWorking === true;
  }

  /** A person far away wants it to stop. */
  protected onInterrupted(): void {
    this.cancel();
  }

  /** It takes tasks now. */
  protected onOpened(): void {
    // Most have nothing to tidy up before their first task.
  }

  protected onRaised(event: PromptEvent): void {
    this.#events.push({ kind: "raised", event });
    this.#askingChanged();
  }

  protected onWithdrawn(event: PromptEvent, reason: WithdrawReason): void {
    this.#events.push({ kind: "withdrawn", promptId: event.promptId, reason });
    // Of an answer it is told as such, and what is asked anew stands there anew.
    const isOver = reason !== "answered_locally" && reason !== "superseded";
    if (isOver) this.#standing.over(event, this.transcript.unanswered(event, reason));
    this.#askingChanged();
  }

  protected onAnswered(event: PromptEvent, label: string, by: "here" | "elsewhere"): void {
    const line = this.transcript.answered(event, label, by);
    if (!this.#standing.over(event, line)) this.transcript.answeredLater(line);
    this.#askingChanged();
  }

  protected onRefused({ question }: StampedPrompt, why: RefusalReason): void {
    this.transcript.refused(question, why);
  }

  /** The tool has ended, and nothing is told of it yet. */
  protected onEnded(exit: TerminalExit): void {
    this.talk?.close(exit);
  }

  #onExit(exit: TerminalExit): TerminalExit {
    this.onEnded(exit);
    this.desk.withdrawAll("session_ended");
    this.#standing.changed();
    this.#tellState("ended");
    this.#events.end();
    this.#output.end();
    return exit;
  }

  #askingChanged(): void {
    this.#standing.changed();
    this.#tellState(this.#state());
    this.#onAsking();
  }

  #state(): ToolState {
    if (!this.process?.alive) return "ended";
    if (this.desk.isAsking) return "waiting";
    return this.talk?.isWorking ? "working" : "idle";
  }

  #tellState(state: ToolState): void {
    const said = state === "idle" ? this.said : null;
    const words = said === null ? {} : { said: boundedWords(this.options.redact(said)) };
    this.#events.push({ kind: "state", state, ...words });
  }

  #print(text: string): void {
    this.#outputAt = this.options.clock.monotonic();
    this.#standing.print(text);
  }

  #show(text: string): void {
    this.remoteControls.shown(text);
    this.#output.push(Buffer.from(text));
  }

  /** A terminal that takes nothing makes the tool wait. */
  #hold(full: boolean): void {
    if (full) this.process?.output.pause();
    else this.process?.output.resume();
  }
}
