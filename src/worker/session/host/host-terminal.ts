/** The user's terminal, or the pipes in its place: input and output with flow control, size, signals, mode. */
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

/** Size of the tool's terminal when the user has none: full-screen tools show everything at this size (narrow ones hide choices). */
export const SIZE_WITHOUT_TERMINAL: TerminalSize = { cols: 120, rows: 50 };
/**
 * With more than this unwritten, the tool is paused: it fits a full redraw, and in a flood a key's echo waits behind it for half a
 * millisecond.
 */
export const OUTPUT_PRESSURE_BYTES = 16 * 1024;
/** A terminal that takes nothing (Ctrl-S) must not prevent a stop: what is not written by then is written afterwards. */
export const STOP_FLUSH_MS = 200;

const STDIN = 0;
const STDOUT = 1;

export type HostInput = Readable & { readonly isTTY?: boolean } & Partial<RawInput>;

export interface HostIo extends JobControlParts {
  readonly input: HostInput;
  /** Whether the input is typed by a person. */
  readonly hasKeys: boolean;
  readonly output: Writable;
  /** See `HostOutput`. */
  readonly writeAvailable: WriteAvailable | null;
  /** Whether the output is shown on a screen. */
  readonly isScreen: boolean;
  /** Writes past the stream at once. */
  readonly writeNow: (text: string) => void;
  readonly measure: () => TerminalSize | null;
  readonly clock: Clock;
}

export class HostTerminal {
  /** True when a person can type here. */
  readonly isTerminal: boolean;
  /** True when a person can type here and sees what is written. */
  readonly isWindow: boolean;
  readonly #io: HostIo;
  readonly #jobs: JobControl;
  #waiting: (() => void)[] = [];
  #hooks: HostHooks | null = null;
  /** What was reported before there were hooks. */
  #held: ((hooks: HostHooks) => void)[] = [];
  /** Set once the terminal is being taken over. */
  #taken: Promise<void> | null = null;
  /** The steps that `close` runs. */
  #undoSteps: (() => void)[] = [];
  #isLost = false;
  /** Whether input is paused because the tool has no room for more. */
  #isInputPaused = false;

  constructor(io: HostIo) {
    this.#io = io;
    this.#jobs = new JobControl(io);
    this.isTerminal = io.hasKeys;
    this.isWindow = this.isTerminal && io.isScreen;
  }

  /** In character cells; `SIZE_WITHOUT_TERMINAL` where there is none. */
  get size(): TerminalSize {
    return this.#io.measure() ?? SIZE_WITHOUT_TERMINAL;
  }

  /** Descriptors at which a person types. */
  get keyFds(): readonly number[] {
    return this.isTerminal ? [STDIN] : [];
  }

  /** Resolves when we may take the terminal over and it has the settings that a tool should find; see `JobControl.ready`. */
  ready(): Promise<void> {
    return this.#jobs.ready();
  }

  /**
   * Takes the terminal over. Resolves when it is raw; only then may output be written. Signals and new sizes wait for `open`, and
   * so does input, in the terminal itself. Further calls return the same promise.
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

  /** Takes the terminal over if that has not been done, and reports to these hooks from now on. Resolves when input is read. */
  async open(hooks: HostHooks): Promise<void> {
    const taken = this.takeOver();
    this.#hooks = hooks;
    for (const report of this.#held.splice(0)) report(hooks);
    await taken;
    this.#listenToInput(hooks);
  }

  /** Stops us with our whole job, as Ctrl-Z does to any program. Resolves when we continue, with the terminal taken over again. */
  async suspend(): Promise<void> {
    const isOurs = await this.#jobs.suspend(async () => {
      // Waits one turn: the tool's last output is on its way here.
      await nextTurn();
      await Promise.race([this.flush(), new Promise<void>((go) => this.#io.clock.after(STOP_FLUSH_MS, go))]);
      this.#io.input.pause();
    });
    // A process that reads a terminal that another job has is stopped.
    if (isOurs && !this.#isInputPaused) this.resumeInput();
  }

  /**
   * Writes the chunk in order, before this returns if the user's side takes it. Null: more may follow. Otherwise that side is slow,
   * and the promise resolves when more may follow; it never rejects.
   */
  write(chunk: Uint8Array): Promise<void> | null {
    const { output, writeAvailable } = this.#io;
    if (this.#isLost) return null;
    const written = writeAvailable !== null && output.writableLength === 0 ? writeAvailable(chunk) : 0;
    if (written === chunk.length) return null;
    // Where nobody reads any more, the stream reports it.
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

  /** Resolves when all output is written, or lost. */
  flush(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isLost) resolve();
      else this.#io.output.write("", () => resolve());
    });
  }

  /** Restores the terminal. May be called on every way out, any number of times. */
  close(): void {
    for (const undo of this.#undoSteps.splice(0)) undo();
    this.#jobs.close();
    this.#io.input.pause();
  }

  /** Restores the terminal when nothing can be waited for any more. `modes` resets it to a shell's modes. */
  abandon(modes: string): void {
    this.close();
    if (this.isWindow && modes !== "") this.#io.writeNow(modes);
  }

  /** The last call of a session, see `JobControl.endBySignal`. */
  endBySignal(): void {
    this.#jobs.endBySignal();
  }

  /** From the take-over on: a terminal that is gone fails when its mode is changed, also while nothing is read from it. */
  #listenToInputEnd(): void {
    const { input } = this.#io;
    // A terminal that is gone is reported as an error, as an end, or as both.
    let ended = false;
    const end = () => {
      if (ended) return;
      ended = true;
      if (this.isTerminal) this.#end("SIGHUP");
      else this.#report((hooks) => hooks.onInputEnd());
    };
    input.on("end", end).on("error", end);
    // The error listener stays, because an error after `close` would otherwise be thrown.
    this.#undoSteps.push(() => void input.off("end", end));
  }

  #listenToInput(hooks: HostHooks): void {
    const { input } = this.#io;
    const take = (chunk: Uint8Array) => hooks.onInput(chunk);
    input.on("data", take);
    // A question that was asked here before has paused it.
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

  /** Not at "drain": that uses Node's own limit, which is four times ours since Node 22, and does not fire below it. */
  readonly #onWritten = (): void => {
    if (this.#io.output.writableLength === 0) this.#release();
  };

  #release(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

/** Opens the terminal that this process was started in, or what is in its place. */
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

/** Runs `run` and then restores the user's terminal, also when it fails, and when the process ends in the middle. */
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
