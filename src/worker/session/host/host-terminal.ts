/** The user's terminal, or the pipes in its place: input and output, flow control, size, signals and mode. */
import type { Readable, Writable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "../../../model/clock.js";
import type { WriteAvailable } from "../../process/descriptors/descriptor-calls.js";
import type { TerminalSize } from "../../process/terminal.js";
import {
  ignoreLostTerminals,
  measureHost,
  openHostOutput,
  watchTerminals,
  writeToScreen,
} from "./host-output.js";
import { RawMode, type RawInput } from "./host-raw-mode.js";
import { END_SIGNALS, PASSED_SIGNALS, type EndSignal, type HostHooks } from "./host-hooks.js";
import { JobControl, type JobControlParts } from "./job-control.js";
import { OwnJob, type ProcessEvents } from "../../../observe/job/own-job.js";
import { disableOutputProcessing, OutputOnlyTerminal } from "./stty.js";

/** The size of the tool's terminal if the user has none. Full-screen tools hide choices at a smaller size. */
export const SIZE_WITHOUT_TERMINAL: TerminalSize = { cols: 120, rows: 50 };
/** With more unwritten bytes the tool is paused. It holds a full redraw, and in a flood it delays an echo by half a millisecond. */
export const OUTPUT_PRESSURE_BYTES = 16 * 1024;
/** A blocked terminal (Ctrl-S) must not prevent a stop; the rest is written afterwards. */
export const STOP_FLUSH_MS = 200;

const STDIN = 0;
const STDOUT = 1;

export type HostInput = Readable & { readonly isTTY?: boolean } & Partial<RawInput>;

export interface HostIo extends JobControlParts {
  readonly input: HostInput;
  readonly hasKeys: boolean;
  readonly output: Writable;
  readonly writeAvailable: WriteAvailable | null;
  readonly isScreen: boolean;
  readonly writeNow: (text: string) => void;
  readonly measure: () => TerminalSize | null;
  readonly clock: Clock;
}

export class HostTerminal {
  readonly isTerminal: boolean;
  /** A person can type here and sees the output. */
  readonly isWindow: boolean;
  readonly #io: HostIo;
  readonly #jobs: JobControl;
  #waiting: (() => void)[] = [];
  #hooks: HostHooks | null = null;
  #held: ((hooks: HostHooks) => void)[] = [];
  #taken: Promise<void> | null = null;
  #undoSteps: (() => void)[] = [];
  #isLost = false;
  #isInputPaused = false;

  constructor(io: HostIo) {
    this.#io = io;
    this.#jobs = new JobControl(io);
    this.isTerminal = io.hasKeys;
    this.isWindow = this.isTerminal && io.isScreen;
  }

  /** In character cells; `SIZE_WITHOUT_TERMINAL` if there is no terminal. */
  get size(): TerminalSize {
    return this.#io.measure() ?? SIZE_WITHOUT_TERMINAL;
  }

  get keyFds(): readonly number[] {
    return this.isTerminal ? [STDIN] : [];
  }

  /** See `JobControl.ready`. */
  ready(): Promise<void> {
    return this.#jobs.ready();
  }

  /**
   * Takes the terminal over, once. Resolves when it is raw; only then may output be written. Signals, new sizes and input wait for `open`.
   */
  takeOver(): Promise<void> {
    if (this.#taken === null) {
      this.#listenToInputEnd();
      this.#listenToOutput();
      this.#listenToSignals();
      this.#taken = this.#jobs.start({
        onStopSignal: () => this.#report((hooks) => hooks.onStopSignal()),
        onContinued: () => this.#report((hooks) => hooks.onContinued()),
      });
    }
    return this.#taken;
  }

  /** Takes the terminal over if necessary, and reports to these hooks from now on. Resolves when input is read. */
  async open(hooks: HostHooks): Promise<void> {
    const taken = this.takeOver();
    this.#hooks = hooks;
    for (const report of this.#held.splice(0)) report(hooks);
    await taken;
    this.#listenToInput(hooks);
  }

  /** Stops us with our whole job, as Ctrl-Z does. Resolves when we continue, with the terminal taken over again. */
  async suspend(): Promise<void> {
    const isOurs = await this.#jobs.suspend(async () => {
      // The tool's last output arrives within one turn.
      await nextTurn();
      await Promise.race([this.flush(), new Promise<void>((go) => this.#io.clock.after(STOP_FLUSH_MS, go))]);
      this.#io.input.pause();
    });
    // Reading a terminal that another job owns would stop us again.
    if (isOurs && !this.#isInputPaused) this.resumeInput();
  }

  /** Writes the chunk in order. Null: it was written at once. Otherwise the promise resolves when more may follow; it never rejects. */
  write(chunk: Uint8Array): Promise<void> | null {
    const { output, writeAvailable } = this.#io;
    if (this.#isLost) return null;
    const written = writeAvailable !== null && output.writableLength === 0 ? writeAvailable(chunk) : 0;
    if (written === chunk.length) return null;
    // If nobody reads any more, the stream reports an error.
    output.write(written === 0 ? chunk : chunk.subarray(written), this.#onWritten);
    if (output.writableLength <= OUTPUT_PRESSURE_BYTES) return null;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  pauseInput(): void {
    this.#isInputPaused = true;
    this.#io.input.pause();
  }

  resumeInput(): void {
    this.#isInputPaused = false;
    if (this.#undoSteps.length > 0) this.#io.input.resume();
  }

  flush(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isLost) resolve();
      else this.#io.output.write("", () => resolve());
    });
  }

  close(): void {
    for (const undo of this.#undoSteps.splice(0)) undo();
    this.#jobs.close();
    this.#io.input.pause();
  }

  /** Restores the terminal at once, without waiting. `modes` resets it to the modes of a shell. */
  abandon(modes: string): void {
    this.close();
    if (this.isWindow && modes !== "") this.#io.writeNow(modes);
  }

  /** See `JobControl.endBySignal`. */
  endBySignal(): void {
    this.#jobs.endBySignal();
  }

  /** Called at the takeover, because a change of the mode of a lost terminal is reported here. */
  #listenToInputEnd(): void {
    const { input } = this.#io;
    // A lost terminal is reported as an error, an end, or both.
    let ended = false;
    const end = () => {
      if (ended) return;
      ended = true;
      if (this.isTerminal) this.#end("SIGHUP");
      else this.#report((hooks) => hooks.onInputEnd());
    };
    input.on("end", end).on("error", end);
    // The error listener is kept, because an error after `close` would be thrown.
    this.#undoSteps.push(() => void input.off("end", end));
  }

  #listenToInput(hooks: HostHooks): void {
    const { input } = this.#io;
    const take = (chunk: Uint8Array) => hooks.onInput(chunk);
    input.on("data", take);
    // An earlier question on this terminal has paused it.
    if (!this.#isInputPaused) input.resume();
    this.#undoSteps.push(() => void input.off("data", take));
  }

  #listenToOutput(): void {
    const { output } = this.#io;
    output.once("error", () => {
      this.#isLost = true;
      this.#release();
      this.#report((hooks) => hooks.onOutputLost());
    });
  }

  #listenToSignals(): void {
    const { events } = this.#io;
    for (const signal of END_SIGNALS) this.#subscribe(events, signal, () => this.#end(signal));
    for (const signal of PASSED_SIGNALS)
      this.#subscribe(events, signal, () => this.#report((hooks) => hooks.onPassedSignal(signal)));
    let last = this.size;
    this.#subscribe(events, "SIGWINCH", () => {
      const size = this.size;
      if (size.cols === last.cols && size.rows === last.rows) return;
      last = size;
      this.#report((hooks) => hooks.onResize(size));
    });
  }

  #end(signal: EndSignal): void {
    this.#jobs.noteEnding(signal);
    this.#report((hooks) => hooks.onEndSignal(signal));
  }

  #report(report: (hooks: HostHooks) => void): void {
    if (this.#hooks) report(this.#hooks);
    else this.#held.push(report);
  }

  #subscribe(events: ProcessEvents, event: string, listener: () => void): void {
    events.on(event, listener);
    this.#undoSteps.push(() => void events.off(event, listener));
  }

  /** Not at "drain", because Node's own limit may be higher than ours, and the event does not fire below it. */
  readonly #onWritten = (): void => {
    if (this.#io.output.writableLength === 0) this.#release();
  };

  #release(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

export function openOwnTerminal(clock: Clock): HostTerminal {
  ignoreLostTerminals();
  const input = process.stdin;
  const isScreen = process.stdout.isTTY;
  return new HostTerminal({
    input,
    hasKeys: input.isTTY,
    ...openHostOutput(),
    isScreen,
    writeNow: writeToScreen,
    events: process,
    measure: measureHost,
    rawMode: createOwnRawMode(input.isTTY ? input : null, isScreen),
    job: new OwnJob({ clock }),
    isGone: watchTerminals(),
    endBy: (signal) => void process.kill(process.pid, signal),
    clock,
  });
}

function createOwnRawMode(keys: RawInput | null, isScreen: boolean): RawMode | null {
  if (keys) return new RawMode(keys, process, isScreen ? () => disableOutputProcessing(STDIN) : null);
  return isScreen
    ? new RawMode(new OutputOnlyTerminal(STDOUT), process, () => disableOutputProcessing(STDOUT))
    : null;
}

/** Restores the user's terminal after `run`, also if it fails or the process ends meanwhile. */
export async function restoreTerminalAfter<T>(host: HostTerminal, run: () => Promise<T>): Promise<T> {
  const restore = (): void => host.close();
  process.once("exit", restore);
  try {
    return await run();
  } finally {
    restore();
    process.off("exit", restore);
  }
}
