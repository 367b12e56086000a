/**
 * One session of a tool in its terminal. Each object is created after those that it uses, and events flow in one direction:
 * terminal, screen, detection, prompts, and out (ADR 35).
 */
import type { AdapterEvent, SessionSnapshot } from "../../../sdk/adapter.js";
import { lastAnswer } from "../../detection/last-answer.js";
import { LiveDetector } from "../../detection/live/live-detector.js";
import type { TrackerOutput } from "../../detection/live/tracker.js";
import type { Terminal, TerminalExit } from "../../process/terminal.js";
import { TtyFacts } from "../../process/tty-facts.js";
import type { EventQueue } from "../../prompts/event-queue.js";
import { TERMINATE_GRACE_MS } from "../../prompts/limits.js";
import { questionStamper, type StampQuestion } from "../../prompts/stamp-question.js";
import { Screen, type ScreenSize } from "../../screen/screen.js";
import { ReaderCheck } from "../../signals/reader-check.js";
import type { ToolSignals } from "../../signals/tool-signals.js";
import { OutputStream } from "../output-stream.js";
import type { SideChannel } from "../side-channel.js";
import { AnswerInjector } from "./answer-injector.js";
import { Backpressure } from "./backpressure.js";
import { LastMessage } from "./last-message.js";
import { LocalKeys } from "./prompts/local-keys.js";
import { PromptRegistry } from "./prompts/prompt-registry.js";
import { createSnapshot } from "./prompts/snapshot.js";
import { TypedKeys } from "./prompts/typed-keys.js";
import type { PtyAdapterOptions } from "./pty-adapter-options.js";
import { RecordingTail, type Capture } from "./recording-tail.js";
import { TerminalControls } from "./remote-controls.js";
import { isStoppable } from "./stop-tool.js";
import { TerminalTaskInput } from "./task-input.js";
import { needsReader, createTerminalSignals } from "./terminal-signals.js";

export class TerminalSession {
  readonly terminal: Terminal;
  readonly remoteControls: TerminalControls;
  readonly taskInput: TerminalTaskInput;
  readonly answerInjector: AnswerInjector;
  readonly #options: PtyAdapterOptions;
  readonly #startedAt: number;
  readonly #screen: Screen;
  readonly #recording: RecordingTail;
  readonly #backpressure: Backpressure;
  readonly #output: OutputStream;
  readonly #signals: ToolSignals;
  readonly #detector: LiveDetector;
  readonly #readerCheck: ReaderCheck;
  readonly #typedKeys: TypedKeys;
  readonly #prompts: PromptRegistry;
  readonly #keys: LocalKeys;
  readonly #lastMessage: LastMessage;
  readonly #sideChannel: SideChannel | null;
  #outputAt: number;

  /** `terminal` runs already: its output until now goes to every reader that is there by the end of this turn. */
  constructor(terminal: Terminal, options: PtyAdapterOptions, events: EventQueue<AdapterEvent>) {
    const { adapter, clock, size, stuckTimeoutMs } = options;
    this.terminal = terminal;
    this.#options = options;
    this.#startedAt = this.#outputAt = clock.monotonic();

    const screen = (this.#screen = new Screen(size));
    const recording = (this.#recording = new RecordingTail(screen, size, clock));
    const backpressure = (this.#backpressure = new Backpressure(terminal));
    this.#output = new OutputStream((full) => backpressure.set("reader", full));

    const facts = new TtyFacts(terminal);
    const foregroundGroup = (): number | null => facts.findForegroundGroup() ?? null;
    const signals = (this.#signals = createTerminalSignals({ adapter, clock, screen, terminal, facts }));
    const watched = { adapter, clock, screen, terminal, signals, foregroundGroup };
    const detector = (this.#detector = new LiveDetector({
      ...watched,
      signals: () => signals.current,
      stuckTimeoutMs,
    }));
    const hasPrompt = (): boolean => needsReader(adapter, detector, signals.provenReaders);
    this.#readerCheck = new ReaderCheck({ clock, tty: signals.tty, hasPrompt });

    const previews = options.sideChannel?.previews ?? null;
    const typedKeys = (this.#typedKeys = new TypedKeys(clock));
    const stampPrompt = questionStamper({
      ...options,
      stoppable: isStoppable(adapter),
      notesTextAbove: adapter.unread === "line",
    });
    const stamp: StampQuestion = (question, epoch, source) =>
      stampPrompt(previews?.complete(question) ?? question, epoch, source);
    const prompts = (this.#prompts = new PromptRegistry({ ...watched, events, stamp, detector, typedKeys }));
    const seen = { ...watched, recording, detector, typedKeys, prompts };
    const keys = (this.#keys = new LocalKeys(seen));
    const lastMessage = (this.#lastMessage = new LastMessage({
      ...options,
      readAnswer: () => lastAnswer(adapter, screen.view()),
      onState: (event) => events.push(event),
    }));
    const sideChannel = options.sideChannel?.open({ ...seen, lastMessage: lastMessage }) ?? null;
    this.#sideChannel = sideChannel;

    const controls = (this.remoteControls = new TerminalControls(seen));
    this.answerInjector = new AnswerInjector({ ...seen, keys, controls, sideChannel, previews });
    this.taskInput = new TerminalTaskInput({ ...seen, keys, turn: this.answerInjector });
    this.#subscribe();
  }

  #subscribe(): void {
    const { terminal } = this;
    if (!this.#options.hostAnswers)
      this.#screen.onReply((answer) => void terminal.write(Buffer.from(answer)));
    this.#screen.onChange(() => this.#onParsed());
    this.#signals.onChange(() => {
      this.#detector.wake();
      this.#sideChannel?.onSignal();
    });
    this.#detector.onOutput((output) => this.#onDetected(output));
    queueMicrotask(() => {
      terminal.onData((chunk) => this.#onOutput(chunk));
      void terminal.exited.then(() => this.#onExit());
    });
  }

  readStream(): AsyncIterable<Uint8Array> {
    return this.#output.read();
  }

  /** Sends SIGTERM, and SIGKILL to a tool that ignores it. */
  async terminate(): Promise<void> {
    const { terminal } = this;
    this.noteEnding();
    terminal.kill("SIGTERM");
    const stopTimer = this.#options.clock.after(TERMINATE_GRACE_MS, () => void terminal.kill("SIGKILL"));
    await terminal.exited;
    stopTimer();
    terminal.close();
  }

  snapshot(): SessionSnapshot {
    const now = this.#options.clock.monotonic();
    return createSnapshot(this.#options, {
      terminal: this.terminal,
      prompts: this.#prompts,
      upMs: now - this.#startedAt,
      quietMs: now - this.#outputAt,
      toolState: this.#detector.toolState,
      isReading: this.#signals.current.blockedOnRead === true,
    });
  }

  /** Takes bytes from the host's terminal: they go to the tool at once, or, while an answer is injected, right after it. */
  typeKeys(bytes: Uint8Array, typed: boolean): void {
    this.#keys.take(bytes, typed);
  }

  /** Returns the host's bytes without the terminal's answer to a query that we have answered. */
  filterInput(chunk: Uint8Array): Uint8Array {
    return this.#signals.filterInput(chunk);
  }

  /** Call when the host's terminal has another size. */
  resize(size: ScreenSize): void {
    this.terminal.resize(size);
    this.#recording.onResized(size);
    this.#screen.resize(size);
    this.#detector.onResized();
  }

  /** Returns the latest part of the session, to be kept as a scenario. */
  capture(): Capture {
    return { ...this.#recording.createRecording(), tty: this.#signals.current };
  }

  /** Returns the sequence that restores a shell's modes on a terminal that shows all this; empty when nothing is to be done. */
  undoModes(): string {
    return this.#screen.undoModes();
  }

  /** Call before we end the tool. */
  noteEnding(): void {
    this.#prompts.isEnding = true;
  }

  get exited(): Promise<TerminalExit> {
    return this.terminal.exited;
  }

  #onOutput(chunk: Uint8Array): void {
    this.#signals.onOutput(chunk);
    this.#readerCheck.stop();
    this.#output.push(chunk);
    this.#outputAt = this.#options.clock.monotonic();
    this.#recording.onOutput(chunk);
    this.#screen.write(chunk);
    this.#backpressure.onBacklog(this.#screen.backlogBytes);
  }

  #onParsed(): void {
    this.#recording.onParsed();
    this.#backpressure.onBacklog(this.#screen.backlogBytes);
  }

  #onDetected(output: TrackerOutput): void {
    if (output.kind === "state") this.#lastMessage.noteState(output.state);
    if (this.#sideChannel) this.#sideChannel.onTracker(output);
    else if (output.kind !== "state") this.#prompts.onTracker(output);
    if (output.kind !== "raise") return;
    this.#readerCheck.start();
    this.#options.onRaised?.(output.candidate);
  }

  async #onExit(): Promise<void> {
    this.#signals.stop();
    this.#readerCheck.stop();
    this.#lastMessage.stop();
    this.#output.end();
    await this.#screen.flushed();
    this.#detector.stop();
    this.#prompts.end(this.#wasAnsweredLocally() ? "answered_locally" : "session_ended");
    // Only now: what is still pending ends because the tool ended, and is not lost.
    this.#sideChannel?.stop();
  }

  /** Whether its last picture shows a local answer: a tool that ends with the answer is gone before a look. */
  #wasAnsweredLocally(): boolean {
    const { drawnPrompt } = this.#prompts;
    if (drawnPrompt === null || this.#typedKeys.committed !== drawnPrompt) return false;
    return this.#detector.candidateNow()?.fingerprint !== drawnPrompt.entry.drawn?.candidate.fingerprint;
  }
}
