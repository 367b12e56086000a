/** The base of every runtime that talks to its tool over pipes. A runtime adds the client of its protocol. */
import { assertInvariant } from "../../../model/errors.js";
import type { PromptId, SessionId } from "../../../model/ids.js";
import type { PromptEvent } from "../../../model/prompt.js";
import type { Refusal } from "../../../model/answer/refusal.js";
import type { Reply } from "../../../model/answer/reply.js";
import { limitLastMessage, type ToolState } from "../../../model/tool-state.js";
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
import { createChildEnvironment } from "../../process/child-environment.js";
import { openPiped, type PipedProcess } from "../../process/piped-process.js";
import type { TerminalExit } from "../../process/terminal.js";
import { EventQueue } from "../../../observe/event-queue.js";
import { confirmDelivery } from "../../prompts/confirm-delivery.js";
import { OutputStream } from "../output-stream.js";
import {
  PendingRequests,
  type PendingRequestsOptions,
  type RefusalReason,
} from "../../prompts/pending-requests.js";
import { createPromptSnapshot } from "../../prompts/prompt-snapshot.js";
import { createPromptStamper } from "../../prompts/stamp-prompt.js";
import { TERMINATE_GRACE_MS } from "../../prompts/limits.js";
import { ProtocolControls } from "./remote-controls.js";
import type { ProtocolClient, ProtocolAdapterOptions, ProtocolTurn } from "./protocol-client.js";
import { ShownPrompt } from "./shown-prompt.js";
import { describeAnswered, describeUnanswered, Transcript } from "./transcript.js";

export abstract class ProtocolAdapter<
  Options extends ProtocolAdapterOptions,
  Client extends ProtocolClient<Turn>,
  Turn extends ProtocolTurn,
> implements Adapter {
  readonly capabilities: SessionCapabilities = {
    chatTurns: false,
    screenView: true,
  };
  readonly remoteControls: ProtocolControls;
  protected readonly options: Options;
  protected readonly transcript: Transcript;
  protected readonly pendingRequests: PendingRequests;
  protected process: PipedProcess | null = null;
  protected client: Client | null = null;
  readonly #events = new EventQueue<AdapterEvent>();
  readonly #shownPrompt = new ShownPrompt({
    first: () => this.pendingRequests.first,
    draw: (event) => this.transcript.showPrompt(event),
    show: (text) => this.#show(text),
  });
  readonly #output = new OutputStream((full) => this.#setPressure(full));
  #ready: Promise<void> | null = null;
  #exited: Promise<TerminalExit> | null = null;
  #promptListener: () => void = () => undefined;
  #startedAt = 0;
  #outputAt = 0;

  constructor(options: Options, withdrawReasonFor: PendingRequestsOptions["withdrawReasonFor"]) {
    this.options = options;
    this.transcript = new Transcript((text) => this.#print(text));
    this.pendingRequests = new PendingRequests({
      stamp: createPromptStamper(options),
      isAttended: options.isAttended,
      withdrawReasonFor,
      onRaised: (event) => this.onRaised(event),
      onWithdrawn: (event, reason) => this.onWithdrawn(event, reason),
      onAnswered: (event, label, by) => this.onAnswered(event, label, by),
      limit: { clock: options.clock, ms: options.answerWithinMs ?? 0 },
      onRefused: (question, why) => this.onRefused(question, why),
      confirmDelivery: (acknowledged) =>
        confirmDelivery(this.client, this.exited, options.clock, acknowledged),
    });
    this.remoteControls = new ProtocolControls({
      isAlive: () => this.process?.alive === true,
      pendingRequests: this.pendingRequests,
      isBusy: () => this.isBusy,
      interrupt: () => this.onInterrupted(),
    });
  }

  protected abstract createClient(tool: PipedProcess): Client;
  protected abstract get lastMessage(): string | null;

  /** Starts the tool; `ready` resolves when it takes tasks. */
  startSession(command: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<SessionId> {
    const { environment, sessionId, cwd, clock } = this.options;
    const whole = createChildEnvironment({ ...environment, ...env }, sessionId);
    const tool = openPiped({ command, env: whole, cwd });
    this.process = tool;
    this.#startedAt = this.#outputAt = clock.monotonic();
    const client = this.createClient(tool);
    this.client = client;
    this.#exited = tool.exited.then((exit) => this.#onExit(exit));
    this.#ready = client.open().then(() => {
      this.onOpened();
      this.#reportState("idle");
    });
    this.#ready.catch(() => undefined);
    this.#reportState("starting");
    return Promise.resolve(sessionId);
  }

  /** Resolves when the tool can be given its first task. Errors: ATB_TOOL_START_FAILED. */
  get ready(): Promise<void> {
    assertInvariant(this.#ready, "the tool was not started");
    return this.#ready;
  }

  get exited(): Promise<TerminalExit> {
    assertInvariant(this.#exited, "the tool was not started");
    return this.#exited;
  }

  get stderrTail(): string {
    return (this.process?.stderrTail ?? "").trimEnd();
  }

  cancel(): void {
    this.client?.cancel();
    this.pendingRequests.withdrawAll("cancelled");
  }

  setAttended(isAttended: boolean): void {
    this.pendingRequests.attend(isAttended);
  }

  get currentPrompt(): PromptEvent | null {
    return this.#shownPrompt.currentPrompt;
  }

  onPromptChange(listener: () => void): void {
    this.#promptListener = listener;
  }

  answerHere(promptId: PromptId, value: string): Refusal | null {
    return this.pendingRequests.answerHere(promptId, value);
  }

  readStream(): AsyncIterable<Uint8Array> {
    return this.#output.read();
  }

  events(): AsyncIterable<AdapterEvent> {
    return this.#events;
  }

  injectReply(reply: Reply, gate: InjectionGate, halt?: AbortSignal): Promise<InjectionResult> {
    return this.pendingRequests.answer(reply, gate, halt);
  }

  async terminateSession(sessionId: SessionId): Promise<void> {
    assertInvariant(sessionId === this.options.sessionId, "terminateSession names another session");
    const tool = this.process;
    if (!tool) return;
    this.client?.cancel();
    this.pendingRequests.withdrawAll("session_ended");
    await this.client?.closeSession?.();
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
      ...createPromptSnapshot(this.pendingRequests, this.process),
      uptimeSeconds: (now - this.#startedAt) / 1000,
      lastOutputAgoSeconds: (now - this.#outputAt) / 1000,
      toolState: this.#computeState(),
    });
  }

  /** Runs one task; resolves when the tool has ended its turn. Call only when it is `ready` and no other turn is in progress. */
  protected async runTurn(text: string): Promise<Turn> {
    assertInvariant(this.client, "the tool was not started");
    const turn = this.client.prompt(text);
    this.#reportState("working");
    const end = await turn;
    this.pendingRequests.withdrawAll("taken_back");
    if (end.problem !== null) this.transcript.showLine(`The turn failed: ${end.problem}`);
    else this.transcript.showTurnEnd(end.stopReason);
    if (this.process?.alive) this.#reportState("idle");
    return end;
  }

  protected get isBusy(): boolean {
    return this.client?.isWorking === true;
  }

  protected onInterrupted(): void {
    this.cancel();
  }

  protected onOpened(): void {
    // Most runtimes have nothing to do here.
  }

  protected onRaised(event: PromptEvent): void {
    this.#events.push({ kind: "raised", event });
    this.#onPromptsChange();
  }

  protected onWithdrawn(event: PromptEvent, reason: WithdrawReason): void {
    this.#events.push({ kind: "withdrawn", promptId: event.promptId, reason });
    // An answer is shown by `onAnswered`, and a superseded prompt is shown again as the new one.
    const isOver = reason !== "answered_locally" && reason !== "superseded";
    if (isOver) this.#shownPrompt.showOutcome(event, describeUnanswered(event, reason));
    this.#onPromptsChange();
  }

  protected onAnswered(event: PromptEvent, label: string, by: "here" | "elsewhere"): void {
    const line = describeAnswered(event, label, by);
    if (!this.#shownPrompt.showOutcome(event, line)) this.transcript.showLine(line);
    this.#onPromptsChange();
  }

  protected onRefused({ question }: StampedPrompt, why: RefusalReason): void {
    this.transcript.showRefused(question, why);
  }

  protected onEnded(exit: TerminalExit): void {
    this.client?.close(exit);
  }

  #onExit(exit: TerminalExit): TerminalExit {
    this.onEnded(exit);
    this.pendingRequests.withdrawAll("session_ended");
    this.#shownPrompt.update();
    this.#reportState("ended");
    this.#events.end();
    this.#output.end();
    return exit;
  }

  #onPromptsChange(): void {
    this.#shownPrompt.update();
    this.#reportState(this.#computeState());
    this.#promptListener();
  }

  #computeState(): ToolState {
    if (!this.process?.alive) return "ended";
    if (this.pendingRequests.isAsking) return "waiting";
    return this.client?.isWorking ? "working" : "idle";
  }

  #reportState(state: ToolState): void {
    const idleMessage = state === "idle" ? this.lastMessage : null;
    const words = idleMessage === null ? {} : { said: limitLastMessage(this.options.safeText(idleMessage)) };
    this.#events.push({ kind: "state", state, ...words });
  }

  #print(text: string): void {
    this.#outputAt = this.options.clock.monotonic();
    this.#shownPrompt.print(text);
  }

  #show(text: string): void {
    this.remoteControls.noteShown(text);
    this.#output.push(Buffer.from(text));
  }

  #setPressure(full: boolean): void {
    if (full) this.process?.output.pause();
    else this.process?.output.resume();
  }
}
