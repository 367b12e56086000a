/** The `pty` runtime: a tool in a terminal, seen on its screen and answered by keys (adapter spec §2). */
import { invariant } from "../../../model/errors.js";
import type { SessionId } from "../../../model/ids.js";
import type { Reply } from "../../../model/answer/reply.js";
import type {
  Adapter,
  AdapterEvent,
  InjectionGate,
  InjectionResult,
  SessionCapabilities,
  SessionSnapshot,
} from "../../../sdk/adapter.js";
import { LiveDetector } from "../../detection/live/live-detector.js";
import { lastAnswer } from "../../detection/last-answer.js";
import { stamp } from "../../detection/stamp.js";
import type { TrackerOutput } from "../../detection/live/tracker.js";
import { Screen, type ScreenSize } from "../../screen/screen.js";
import type { Terminal, TerminalExit } from "../../process/terminal.js";
import { TtyFacts } from "../../process/tty-facts.js";
import { Answering } from "./answering.js";
import { Backpressure } from "./backpressure.js";
import { LocalKeys } from "./prompts/local-keys.js";
import { TerminalControls } from "./remote-controls.js";
import { openTool } from "./open-tool.js";
import { OutputStream } from "../output-stream.js";
import type { PtyAdapterOptions } from "./pty-adapter-options.js";
import { PromptRegistry } from "./prompts/prompt-registry.js";
import { TerminalTaskInput } from "./task-input.js";
import { snapshotOf } from "./prompts/snapshot.js";
import { isStoppable } from "./stop-tool.js";
import { TERMINATE_GRACE_MS } from "../../prompts/limits.js";
import { RecordingTail, type Capture } from "./recording-tail.js";
import type { ToolSignals } from "../../signals/tool-signals.js";
import { terminalSignals } from "./terminal-signals.js";
import type { SideChannel } from "../side-channel.js";
import { LastMessage } from "./last-message.js";

export class PtyAdapter implements Adapter {
  readonly capabilities: SessionCapabilities;
  readonly remoteControls: TerminalControls;
  readonly taskInput: TerminalTaskInput;
  readonly #options: PtyAdapterOptions;
  readonly #screen: Screen;
  readonly #detector: LiveDetector;
  readonly #prompts: PromptRegistry;
  readonly #output = new OutputStream((full) => this.#backpressure?.set("reader", full));
  readonly #recording: RecordingTail;
  readonly #keys: LocalKeys;
  readonly #signals: ToolSignals;
  readonly #words: LastMessage;
  readonly #sideChannel: SideChannel | null;
  readonly #answering: Answering;
  #backpressure: Backpressure | null = null;
  #terminal: Terminal | null = null;
  #facts: TtyFacts | null = null;
  #startedAt = 0;
  #outputAt = 0;

  constructor(options: PtyAdapterOptions) {
    this.#options = options;
    this.capabilities = { chatTurns: options.adapter.composer !== null, screenView: true };
    this.#screen = new Screen(options.size);
    this.#recording = new RecordingTail(this.#screen, options.size, options.clock);
    this.#prompts = new PromptRegistry({
      stamp: (question, epoch, source) =>
        stamp(this.#sideChannel?.complete(question) ?? question, epoch, { ...this.#stampOptions(), source }),
      foregroundGroup: () => this.#facts?.foregroundGroup() ?? null,
      provenReaders: () => this.#signals.provenReaders,
      clock: options.clock,
      askAnew: () => this.#detector.replyUnsettled(),
      isClosing: (dialog) => this.#detector.requestSettled(dialog, false),
      isTyped: (asked, isOver) => this.#keys.hasAnswered(asked, isOver),
    });
    this.#detector = new LiveDetector({
      adapter: options.adapter,
      screen: this.#screen,
      clock: options.clock,
      signals: () => this.#signals.now,
      stuckTimeoutMs: options.stuckTimeoutMs,
      onOutput: (output) => this.#onTracker(output),
    });
    this.#keys = new LocalKeys({
      clock: options.clock,
      prompts: this.#prompts,
      onTyped: (bytes) => this.#onTyped(bytes),
      onClicked: () => this.#detector.clicked(),
      write: (bytes) => void this.#terminal?.write(bytes),
    });
    const { clock, adapter } = options;
    const seen = { clock, adapter, screen: this.#screen, prompts: this.#prompts, detector: this.#detector };
    const terminal = (): Terminal | null => this.#terminal;
    const onNews = (): void => {
      this.#detector.wake();
      this.#sideChannel?.onSignal();
    };
    this.#signals = terminalSignals({ ...seen, terminal, facts: () => this.#facts, onNews });
    this.remoteControls = new TerminalControls({ ...seen, signals: this.#signals, terminal });
    const foregroundGroup = (): number | null => this.#facts?.foregroundGroup() ?? null;
    const acting = { ...seen, keys: this.#keys, foregroundGroup };
    this.#answering = new Answering({
      ...acting,
      movedOnSince: (instant) => this.#signals.movedOnSince(instant),
      tells: () => this.#sideChannel,
      interrupt: () => this.remoteControls.interrupt(),
      signals: () => this.#signals.now,
      isRead: (proven) => this.#signals.isRead(proven),
      onKeys: () => this.#signals.onKeys(),
    });
    this.taskInput = new TerminalTaskInput({ ...acting, turn: this.#answering, terminal });
    this.#words = this.#toolWords();
    this.#sideChannel =
      options.sideChannel?.open({
        prompts: this.#prompts,
        words: this.#words,
        pid: () => this.#terminal?.pid ?? null,
        signals: () => this.#signals.now,
        toolState: () => this.#detector.toolState,
        onNews: () => this.#detector.wake(),
      }) ?? null;
  }

  startSession(command: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<SessionId> {
    this.attach(openTool(this.#options, command, env));
    return Promise.resolve(this.#options.sessionId);
  }

  /** Takes over a tool that `openTool` has started, instead of `startSession`. What it has said already goes to whoever reads by the end of this turn. */
  attach(terminal: Terminal): void {
    this.#terminal = terminal;
    this.#backpressure = new Backpressure(terminal);
    this.#facts = new TtyFacts(terminal);
    this.#startedAt = this.#outputAt = this.#options.clock.monotonic();
    this.#answering.attach(terminal);
    if (!this.#options.hostAnswers)
      this.#screen.onReply((answer) => void terminal.write(Buffer.from(answer)));
    this.#screen.onChange(() => this.#onParsed());
    queueMicrotask(() => {
      terminal.onData((chunk) => this.#onOutput(chunk));
      void terminal.exited.then(() => this.#onExit());
    });
  }

  readStream(): AsyncIterable<Uint8Array> {
    return this.#output.read();
  }

  events(): AsyncIterable<AdapterEvent> {
    return this.#prompts.events;
  }

  injectReply(reply: Reply, gate: InjectionGate, halt?: AbortSignal): Promise<InjectionResult> {
    return this.#answering.put(reply, gate, halt);
  }

  async terminateSession(sessionId: SessionId): Promise<void> {
    invariant(sessionId === this.#options.sessionId, "terminateSession names another session");
    const terminal = this.#terminal;
    if (!terminal) return;
    this.ending();
    terminal.kill("SIGTERM");
    const stopTimer = this.#options.clock.after(TERMINATE_GRACE_MS, () => void terminal.kill("SIGKILL"));
    await terminal.exited;
    stopTimer();
    terminal.close();
  }

  snapshotContext(): Promise<SessionSnapshot> {
    const { clock, sessionId, adapter } = this.#options;
    const now = clock.monotonic();
    return Promise.resolve(
      snapshotOf({
        sessionId,
        tool: adapter.name,
        terminal: this.#terminal,
        prompts: this.#prompts,
        upMs: now - this.#startedAt,
        quietMs: now - this.#outputAt,
        toolState: this.#detector.toolState,
        isReading: this.#signals.now.blockedOnRead === true,
      }),
    );
  }

  /** Bytes from the host's terminal: they go to the tool at once, or, while an answer is put in, right after it. */
  typeKeys(bytes: Uint8Array, typed: boolean): void {
    this.#keys.take(bytes, typed);
  }

  /** Bytes from the host's terminal without what answers a question of the tool that we have answered. */
  filterInput(chunk: Uint8Array): Uint8Array {
    return this.#signals.filterInput(chunk);
  }

  /** The host's terminal has another size. */
  resize(size: ScreenSize): void {
    this.#terminal?.resize(size);
    this.#recording.resized(size);
    this.#screen.resize(size);
    this.#detector.resized();
  }

  /** The latest part of the session, to be kept as a scenario. */
  capture(): Capture {
    return { ...this.#recording.recording(), tty: this.#signals.now };
  }

  /** What gives a terminal that shows all this in the modes of a shell; empty when nothing is to be done. */
  undoModes(): string {
    return this.#screen.undoModes();
  }

  /** We are about to end the tool. */
  ending(): void {
    this.#prompts.isEnding = true;
  }

  get exited(): Promise<TerminalExit> {
    return this.terminal.exited;
  }

  /** Started and not over: the terminal of the tool. */
  get terminal(): Terminal {
    invariant(this.#terminal, "the tool was not started");
    return this.#terminal;
  }

  #toolWords(): LastMessage {
    const read = (): string | null => lastAnswer(this.#options.adapter, this.#screen.view());
    return new LastMessage({ ...this.#options, read, tell: (event) => this.#prompts.events.push(event) });
  }

  #onOutput(chunk: Uint8Array): void {
    this.#signals.onOutput(chunk);
    this.#output.push(chunk);
    this.#outputAt = this.#options.clock.monotonic();
    this.#recording.output(chunk);
    this.#screen.write(chunk);
    this.#backpressure?.onBacklog(this.#screen.backlogBytes);
  }

  #onTyped(bytes: Uint8Array): void {
    this.#signals.onKeys();
    this.#recording.typed(bytes);
    this.#detector.typed(bytes);
  }

  #onTracker(output: TrackerOutput): void {
    if (output.kind === "state") this.#words.seen(output.state);
    if (this.#sideChannel) this.#sideChannel.onTracker(output);
    else if (output.kind !== "state") this.#prompts.onTracker(output);
    if (output.kind !== "raise") return;
    this.#signals.onRaised();
    this.#options.onRaised?.(output.candidate);
  }

  #onParsed(): void {
    this.#recording.parsed();
    this.#backpressure?.onBacklog(this.#screen.backlogBytes);
  }

  async #onExit(): Promise<void> {
    this.#signals.stop();
    this.#words.stop();
    this.#output.end();
    await this.#screen.flushed();
    this.#detector.stop();
    this.#prompts.end(this.#answeredLocally() ? "answered_locally" : "session_ended");
    // Only now: what still waits is over because the tool is, and is not lost.
    this.#sideChannel?.stop();
  }

  /** A tool that ends with the answer is gone before a look can tell; its last picture does. */
  #answeredLocally(): boolean {
    const { asked } = this.#prompts;
    const stands = this.#detector.candidateNow()?.fingerprint === asked?.line.drawn?.candidate.fingerprint;
    return asked !== null && this.#keys.committed === asked && !stands;
  }

  #stampOptions() {
    const { sessionId, random, clock, redact, adapter } = this.#options;
    const tellsAbove = adapter.unread === "line";
    return { sessionId, random, clock, redact, stoppable: isStoppable(adapter), tellsAbove };
  }
}
