/** The `headless` runtime: a tool that is run without its interface, given tasks, and asks by its own protocol (design §2). */
import { invariant } from "../../../model/errors.js";
import type { PromptId, SessionId } from "../../../model/ids.js";
import type { PromptEvent } from "../../../model/prompt.js";
import type { Rejection } from "../../../model/rejection.js";
import type { Reply } from "../../../model/reply.js";
import { boundedWords, type ToolState } from "../../../model/tool-state.js";
import { visible } from "../../../safety/display.js";
import type {
  Adapter,
  AdapterEvent,
  InjectionGate,
  InjectionResult,
  SessionCapabilities,
  SessionSnapshot,
  WithdrawReason,
} from "../../../sdk/adapter.js";
import { childEnvironment } from "../../transport/child-environment.js";
import { openPiped, type PipedProcess } from "../../transport/piped-process.js";
import type { TerminalExit } from "../../transport/terminal.js";
import type { Activity } from "../acp/activity.js";
import { Onlooker } from "../acp/onlooker.js";
import { Transcript } from "../acp/transcript.js";
import { EventQueue } from "../event-queue.js";
import { heardBy } from "../heard-by.js";
import { OutputStream } from "../output-stream.js";
import { deskSnapshot, QuestionDesk } from "../question-desk.js";
import { questionStamper } from "../stamp-question.js";
import type { Dialogue } from "./dialogue.js";
import type { HeadlessAdapterOptions } from "./headless-adapter-options.js";
import { TurnTally, type TurnReport } from "./turn-tally.js";

/** Seed §2 `terminate_session`. */
const TERMINATE_GRACE_MS = 3000;
/** From a claimed reply to its receipt. */
const ANSWER_WITHIN_MS = 15_000;

export class HeadlessAdapter implements Adapter {
  readonly capabilities: SessionCapabilities = {
    answerRoutes: ["protocol"],
    freeText: true,
    chatTurns: false,
    screenView: true,
    answerWithinMs: ANSWER_WITHIN_MS,
  };
  readonly onlooker: Onlooker;
  readonly #options: HeadlessAdapterOptions;
  readonly #events = new EventQueue<AdapterEvent>();
  readonly #output = new OutputStream((full) => this.#hold(full));
  readonly #transcript: Transcript;
  readonly #desk: QuestionDesk;
  readonly #tally = new TurnTally();
  #process: PipedProcess | null = null;
  #dialogue: Dialogue | null = null;
  #ready: Promise<void> | null = null;
  #exited: Promise<TerminalExit> | null = null;
  #onAsking: () => void = () => undefined;
  #startedAt = 0;
  #outputAt = 0;

  constructor(options: HeadlessAdapterOptions) {
    this.#options = options;
    const { clock, isAttended } = options;
    this.#transcript = new Transcript({
      colours: options.colours,
      write: (text) => this.#print(text),
    });
    this.#desk = new QuestionDesk({
      stamp: questionStamper(options),
      onRaised: (event) => this.#onRaised(event),
      onWithdrawn: (event, reason) => this.#onWithdrawn(event, reason),
      onAnswered: (event, label, by) => this.#onAnswered(event, label, by),
      isAttended,
      whyGone: (reason) => (reason === "taken_back" ? "taken_back" : "session_ended"),
      onRefused: ({ question }) => {
        this.#tally.denied();
        this.#options.onReport?.({ type: "refused", question });
        this.#transcript.refused(question);
      },
      hearing: () => (this.#dialogue ? heardBy(this.#dialogue, this.exited, clock) : Promise.resolve("gone")),
    });
    this.onlooker = new Onlooker({
      isAlive: () => this.#process?.alive === true,
      desk: this.#desk,
      isWorking: () => this.#dialogue?.isWorking === true,
      cancel: () => this.cancel(),
    });
  }

  /** Starts the tool; `ready` tells when it can be given a task. */
  startSession(command: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<SessionId> {
    const { environment, sessionId, cwd, clock } = this.#options;
    const whole = childEnvironment({ ...environment, ...env }, sessionId);
    const tool = openPiped({ command, env: whole, cwd });
    this.#process = tool;
    this.#startedAt = this.#outputAt = clock.monotonic();
    const dialogue = this.#options.speak({
      ...this.#options,
      input: tool.input,
      output: tool.output,
      desk: this.#desk,
      onActivity: (activity) => this.#onActivity(activity),
      onHung: () => void this.terminateSession(sessionId),
    });
    this.#dialogue = dialogue;
    this.#exited = tool.exited.then((exit) => this.#onExit(exit));
    this.#ready = dialogue.open().then(() => this.#tellState("idle"));
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

  /** The latest that the tool wrote on stderr: why it ended, if anything says so. */
  get complaint(): string {
    return visible(this.#process?.complaint ?? "").trimEnd();
  }

  /** The tool's own name for its session, by which a later run can go on with it. */
  get toolSession(): string | null {
    return this.#dialogue?.session ?? null;
  }

  /** One task; resolves when the tool has ended its turn. Only when it is `ready` and no other turn is under way. */
  async prompt(text: string): Promise<TurnReport> {
    invariant(this.#dialogue, "the tool was not started");
    this.#tally.begin();
    const turn = this.#dialogue.prompt(text);
    this.#tellState("working");
    const end = await turn;
    this.#desk.takeBackAll("taken_back");
    const report = this.#tally.report(end);
    if (end.problem !== null) this.#transcript.line(`The turn failed: ${end.problem}`, "red");
    else this.#transcript.turnEnd(end.stopReason);
    if (this.#process?.alive) this.#tellState("idle");
    return report;
  }

  /** Ends the turn: every request that waits is answered with that. */
  cancel(): void {
    this.#dialogue?.cancel();
    this.#desk.takeBackAll("taken_back");
  }

  /** The question that has waited longest, for whoever sits here. */
  get asking(): PromptEvent | null {
    return this.#desk.first;
  }

  /** Told whenever a question comes or goes. */
  onAsking(listener: () => void): void {
    this.#onAsking = listener;
  }

  /** An answer by the person who sits here. Returns why it was not taken, or null. */
  answerHere(promptId: PromptId, value: string): Rejection | null {
    return this.#desk.answerHere(promptId, value);
  }

  readStream(): AsyncIterable<Uint8Array> {
    return this.#output.read();
  }

  events(): AsyncIterable<AdapterEvent> {
    return this.#events;
  }

  /** What it asks is a request of its protocol: nothing in its text is ever a question. */
  detectPrompt(): Promise<null> {
    return Promise.resolve(null);
  }

  awaitInputState(): Promise<boolean> {
    return Promise.resolve(this.#desk.isAsking);
  }

  injectReply(reply: Reply, gate: InjectionGate): Promise<InjectionResult> {
    return this.#desk.put(reply, gate);
  }

  async terminateSession(sessionId: SessionId): Promise<void> {
    invariant(sessionId === this.#options.sessionId, "terminateSession names another session");
    const tool = this.#process;
    if (!tool) return;
    this.cancel();
    tool.kill("SIGTERM");
    const stopTimer = this.#options.clock.after(TERMINATE_GRACE_MS, () => void tool.kill("SIGKILL"));
    await this.exited;
    stopTimer();
  }

  /** The tool gets no more tasks: it ends by itself as it does at the end of its input, or is ended. */
  async finish(): Promise<TerminalExit> {
    const { clock, sessionId } = this.#options;
    this.#process?.input.end();
    const stopTimer = clock.after(TERMINATE_GRACE_MS, () => void this.terminateSession(sessionId));
    const exit = await this.exited;
    stopTimer();
    return exit;
  }

  snapshotContext(): Promise<SessionSnapshot> {
    const { clock, sessionId, tool } = this.#options;
    const now = clock.monotonic();
    return Promise.resolve({
      sessionId,
      tool,
      ...deskSnapshot(this.#desk, this.#process),
      uptimeSeconds: (now - this.#startedAt) / 1000,
      lastOutputAgoSeconds: (now - this.#outputAt) / 1000,
      toolState: this.#state(),
    });
  }

  healthcheck(): Promise<boolean> {
    return Promise.resolve(this.#process?.alive ?? false);
  }

  #onRaised(event: PromptEvent): void {
    this.#transcript.question(event);
    this.#options.onReport?.({ type: "asked", event });
    this.#events.push({ kind: "raised", event });
    this.#askingChanged();
  }

  #onWithdrawn(event: PromptEvent, reason: WithdrawReason): void {
    this.#options.onReport?.({ type: "withdrawn", event, reason });
    this.#events.push({ kind: "withdrawn", promptId: event.promptId, reason });
    this.#askingChanged();
  }

  #onAnswered(event: PromptEvent, label: string, by: "here" | "elsewhere"): void {
    this.#tally.answered(event, label);
    this.#transcript.answered(label, by);
    this.#options.onReport?.({ type: "answered", event, label, by });
    this.#askingChanged();
  }

  #onActivity(activity: Activity): void {
    this.#tally.seen(activity);
    this.#options.onReport?.({ type: "activity", activity });
    this.#transcript.activity(activity);
  }

  #onExit(exit: TerminalExit): TerminalExit {
    this.#dialogue?.close(exit);
    this.#desk.takeBackAll("session_ended");
    this.#tellState("ended");
    this.#events.end();
    this.#output.end();
    return exit;
  }

  #askingChanged(): void {
    this.#tellState(this.#state());
    this.#onAsking();
  }

  #state(): ToolState {
    if (!this.#process?.alive) return "ended";
    if (this.#desk.isAsking) return "waiting";
    return this.#dialogue?.isWorking ? "working" : "idle";
  }

  #tellState(state: ToolState): void {
    const said = state === "idle" ? this.#tally.words : "";
    const words = said !== "" && { said: boundedWords(this.#options.redact(said)) };
    this.#events.push({ kind: "state", state, ...words });
  }

  #print(text: string): void {
    this.#outputAt = this.#options.clock.monotonic();
    this.onlooker.shown(text);
    this.#output.push(Buffer.from(text));
  }

  /** A terminal that takes nothing makes the tool wait. */
  #hold(full: boolean): void {
    this.#process?.output[full ? "pause" : "resume"]();
  }
}
