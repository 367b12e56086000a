/** One session of a tool in its terminal. Events flow in one direction: terminal, screen, detection, prompts, and out (ADR 35). */
import type { Random } from "../../../observe/random.js";
import type { AdapterEvent, SessionSnapshot } from "../../../sdk/adapter.js";
import type { Candidate } from "../../../sdk/candidate.js";
import type { View } from "../../../sdk/view.js";
import { createRunExclusive } from "../../answer/run-exclusive.js";
import { readLastAnswer } from "../../detection/last-answer.js";
import { LiveDetector } from "../../detection/live/live-detector.js";
import type { TrackerOutput } from "../../detection/live/tracker.js";
import type { Terminal, TerminalExit } from "../../process/terminal.js";
import { TtyFacts } from "../../process/facts/tty-facts.js";
import type { EventQueue } from "../../../observe/event-queue.js";
import { TERMINATE_GRACE_MS } from "../../prompts/limits.js";
import { createPromptStamper, type StampPrompt } from "../../prompts/stamp-prompt.js";
import { Screen, type ScreenSize } from "../../screen/screen.js";
import { ReaderCheck } from "../../signals/reader-check.js";
import type { ToolSignals } from "../../signals/tool-signals.js";
import { OutputStream } from "../output-stream.js";
import type { ProgramPort } from "../program/program-port.js";
import type { SideChannel, SideChannelSource } from "../side-channel.js";
import { AnswerInjector } from "./answer-injector.js";
import { Backpressure } from "./backpressure.js";
import { LastMessage } from "./last-message.js";
import { JoinedPrompts } from "./joined/joined-prompts.js";
import { LocalKeys } from "./keyboard/local-keys.js";
import { TypedKeys } from "./keyboard/typed-keys.js";
import { ReadingWatch, type ComparedReading } from "./joined/reading-watch.js";
import { createSnapshot } from "./snapshot.js";
import { RecordingTail, type Capture } from "./recording-tail.js";
import { TerminalControls } from "./remote-controls.js";
import type { ToolSettings } from "./open-tool.js";
import { isStoppable } from "./stop-tool.js";
import { TerminalTaskInput } from "./task-input.js";
import { needsReader, createTerminalSignals } from "./terminal-signals.js";

export interface PtyAdapterOptions extends ToolSettings {
  readonly random: Random;
  readonly safeText: (text: string) => string;
  /** A real terminal answers the tool's queries; without one the emulator does, so that the tool does not hang. */
  readonly hostAnswers: boolean;
  /** Descriptors at which a person types: their keys do not wait for a flood of output. */
  readonly keyFds?: readonly number[];
  readonly stuckTimeoutMs: number;
  readonly sideChannel?: SideChannelSource | null;
  readonly onRaised?: (candidate: Candidate, take: () => Capture) => void;
  readonly onCompared?: (reading: ComparedReading, take: () => Capture) => void;
}

export interface StartedTerminal {
  readonly terminal: Terminal;
  readonly shown: readonly Uint8Array[];
}

export class TerminalSession {
  readonly terminal: Terminal;
  readonly remoteControls: TerminalControls;
  readonly taskInput: TerminalTaskInput;
  readonly answerInjector: AnswerInjector;
  readonly programPort: ProgramPort;
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
  readonly #prompts: JoinedPrompts;
  readonly #keys: LocalKeys;
  readonly #lastMessage: LastMessage;
  readonly #sideChannel: SideChannel | null;
  readonly #outputListeners: ((chunk: Uint8Array) => void)[] = [];
  readonly #typedListeners: ((bytes: Uint8Array) => void)[] = [];
  readonly capture = (): Capture => ({ ...this.#recording.createRecording(), tty: this.#signals.current });
  #isMuted = false;
  #outputAt: number;
  #hasOutput = false;

  /** Readers that are added in the same turn of the event loop miss no output. */
  constructor(
    { terminal, shown }: StartedTerminal,
    options: PtyAdapterOptions,
    events: EventQueue<AdapterEvent>,
  ) {
    const { adapter, clock, size, stuckTimeoutMs } = options;
    this.terminal = terminal;
    this.#options = options;
    this.#startedAt = this.#outputAt = clock.monotonic();

    const screen = (this.#screen = new Screen(size));
    const recording = (this.#recording = new RecordingTail(screen, size, clock));
    const backpressure = (this.#backpressure = new Backpressure(terminal, clock));
    this.#output = new OutputStream((full) => backpressure.set("reader", full));

    const facts = new TtyFacts(terminal);
    const foregroundGroup = (): number | null => facts.findForegroundGroup() ?? null;
    const signals = (this.#signals = createTerminalSignals({ adapter, clock, screen, terminal }, facts));
    const watched = { adapter, clock, screen, terminal, signals, foregroundGroup };
    const detector = (this.#detector = new LiveDetector({
      ...watched,
      readSignals: () => signals.current,
      readToolSize: () => terminal.readSize(),
      stuckTimeoutMs,
      users: { readUse: () => terminal.readUse(), findMembers: () => facts.findMembers() },
    }));
    const hasPrompt = (): boolean => needsReader(adapter, detector, signals.provenReaders);
    this.#readerCheck = new ReaderCheck({ clock, tty: signals.tty, hasPrompt });

    const previews = options.sideChannel?.previews ?? null;
    const typedKeys = (this.#typedKeys = new TypedKeys(clock, options.safeText));
    const stampPrompt = createPromptStamper({
      ...options,
      stoppable: isStoppable(adapter),
      notesTextAbove: adapter.unread === "line",
    });
    const stamp: StampPrompt = (question, epoch, source) =>
      stampPrompt(previews?.complete(question) ?? question, epoch, source);
    const onCompared = (reading: ComparedReading): void => options.onCompared?.(reading, this.capture);
    const readings = new ReadingWatch({ clock, onCompared });
    const used = { ...watched, events, stamp, detector, typedKeys, readings };
    const prompts = (this.#prompts = new JoinedPrompts(used));
    const { safeText } = options;
    const seen = { ...watched, recording, detector, typedKeys, prompts, readings, safeText };
    const keys = (this.#keys = new LocalKeys(seen));
    const lastMessage = (this.#lastMessage = new LastMessage({
      ...options,
      readAnswer: () => readLastAnswer(adapter, screen.view()),
      onState: (event) => events.push(event),
    }));
    const sideChannel = (this.#sideChannel = options.sideChannel?.open({ ...seen, lastMessage }) ?? null);

    const controls = (this.remoteControls = new TerminalControls(seen));
    const typing = { ...seen, keys, runExclusive: createRunExclusive() };
    this.answerInjector = new AnswerInjector({ ...typing, controls, sideChannel, previews });
    this.taskInput = new TerminalTaskInput(typing);
    this.programPort = {
      terminal,
      onData: (listener) => void this.#outputListeners.push(listener),
      onTyped: (listener) => void this.#typedListeners.push(listener),
      noteSent: () => detector.onSent(),
      typedAt: () => typedKeys.typedAt,
      reportedAt: () => typedKeys.reportedAt,
      turn: typing.runExclusive,
      hold: () => keys.hold(),
      release: () => keys.release(false),
      mute: (on) => (this.#isMuted = on),
      size: () => screen.view(),
      foregroundGroup,
      findReaders: () => facts.findReaders(),
      readTty: () => facts.read(),
    };
    this.#subscribe(shown);
  }

  view(): View {
    return this.#screen.view();
  }

  #subscribe(shown: readonly Uint8Array[]): void {
    const { terminal } = this;
    if (!this.#options.hostAnswers)
      this.#screen.onReply((answer) => {
        this.#typedKeys.noteArrival(Buffer.from(answer), false);
        void terminal.write(Buffer.from(answer));
      });
    this.#screen.onChange(() => this.#onParsed());
    this.#signals.onChange(() => {
      this.#detector.wake();
      this.#sideChannel?.onSignal();
    });
    this.#detector.onOutput((output) => this.#onDetected(output));
    queueMicrotask(() => {
      for (const chunk of shown) {
        this.#signals.onForward(chunk);
        this.#watch(chunk);
      }
      terminal.showFirst((piece) => this.#show(piece), this.#options.keyFds);
      terminal.onData((chunk) => this.#watch(chunk));
      void terminal.exited.then(() => this.#onExit());
    });
  }

  readStream(): AsyncIterable<Uint8Array> {
    return this.#output.read();
  }

  passOutput(to: (chunk: Uint8Array) => Promise<void> | null): Promise<void> {
    return this.#output.pass(to);
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
      uptimeMs: now - this.#startedAt,
      sinceOutputMs: now - this.#outputAt,
      hasOutput: this.#hasOutput,
      heldMs: this.#backpressure.pausedMs,
      toolState: this.#detector.toolState,
      isReading: this.#signals.current.blockedOnRead === true,
    });
  }

  /** Takes bytes from the host's terminal: they go to the tool at once, or, while an answer is injected, right after it. */
  typeKeys(bytes: Uint8Array, typed: boolean): void {
    if (typed) for (const listener of this.#typedListeners) listener(bytes);
    this.#keys.take(bytes, typed);
  }

  /** Returns the host's bytes without the terminal's answer to a query that we have answered. */
  filterInput(chunk: Uint8Array): Uint8Array {
    return this.#signals.filterInput(chunk);
  }

  resize(size: ScreenSize): void {
    this.terminal.resize(size);
    this.#recording.onResized(size);
    this.#screen.resize(size);
    this.#detector.onResized();
  }

  get hasOutput(): boolean {
    return this.#hasOutput;
  }

  /** Returns the bytes that give the user's terminal the modes of a shell again; may be empty. */
  undoModes(): string {
    return this.#screen.undoModes();
  }

  noteEnding(): void {
    this.#prompts.isEnding = true;
  }

  get exited(): Promise<TerminalExit> {
    return this.terminal.exited;
  }

  #show(piece: Uint8Array): void {
    this.#signals.onForward(piece);
    if (!this.#isMuted) this.#output.push(piece);
  }

  #watch(chunk: Uint8Array): void {
    this.#signals.onOutput();
    this.#readerCheck.stop();
    this.#outputAt = this.#options.clock.monotonic();
    this.#hasOutput = true;
    this.#recording.onOutput(chunk);
    this.#screen.write(chunk);
    for (const listener of this.#outputListeners) listener(chunk);
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
    this.#options.onRaised?.(output.candidate, this.capture);
  }

  async #onExit(): Promise<void> {
    this.#signals.stop();
    this.#readerCheck.stop();
    this.#lastMessage.stop();
    this.#output.end();
    await this.#screen.flushed();
    this.#detector.stop();
    this.#prompts.end(this.#wasAnsweredLocally() ? "answered_locally" : "session_ended");
    // After `end`, so that open requests count as ended with the tool and not as lost.
    this.#sideChannel?.stop();
  }

  /** Reads the last picture, because a tool that ends with the answer leaves no time for another detection. */
  #wasAnsweredLocally(): boolean {
    const { drawnPrompt } = this.#prompts;
    if (drawnPrompt === null || this.#typedKeys.committed !== drawnPrompt) return false;
    return this.#detector.detectNow()?.fingerprint !== drawnPrompt.drawn?.candidate.fingerprint;
  }
}
