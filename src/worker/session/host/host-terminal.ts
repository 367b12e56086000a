/** The user's terminal, or the pipes in its place: bytes in and out with flow control, size, signals, mode. */
import type { Readable, Writable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "../../../model/clock.js";
import type { TerminalSize } from "../../process/terminal.js";
import {
  bearLostTerminals,
  measureHost,
  openHostOutput,
  watchTerminals,
  writeToScreen,
} from "./host-output.js";
import { RawMode, type RawInput } from "./host-raw-mode.js";
import { JobControl, type JobControlParts, type JobHooks } from "./job-control.js";
import { OwnJob, type ProcessEvents } from "./own-job.js";
import { plainOutput, WrittenTerminal } from "./stty.js";

/** The tool's terminal when the user has none: what full-screen tools show whole (narrow ones hide choices). */
export const SIZE_WITHOUT_TERMINAL: TerminalSize = { cols: 120, rows: 50 };
/** With more than this unwritten, the tool is stopped: enough for a full redraw, and under a flood a key's echo waits behind it for half a millisecond. */
export const OUTPUT_PRESSURE_BYTES = 16 * 1024;
/** A terminal that takes nothing (Ctrl-S) keeps nobody from stopping: what is not out by then comes out afterwards. */
export const STOP_FLUSH_MS = 200;

const STDIN = 0;
const STDOUT = 1;

/** Signals by which somebody asks us to end. Ctrl-C and Ctrl-\ are no such: in raw mode they are bytes for the tool. */
const END_SIGNALS = ["SIGHUP", "SIGTERM", "SIGINT", "SIGQUIT"] as const;
export type EndSignal = (typeof END_SIGNALS)[number];

/** Signals that mean something to the tool alone. Of the first Node would open a debugger to whoever sent it, of the other it would end. */
const PASSED_SIGNALS = ["SIGUSR1", "SIGUSR2"] as const;
export type PassedSignal = (typeof PASSED_SIGNALS)[number];

export interface HostHooks extends JobHooks {
  onInput(chunk: Uint8Array): void;
  /** A pipe or file on stdin ended. Never called for a terminal. */
  onInputEnd(): void;
  onResize(size: TerminalSize): void;
  /** We are asked to end; SIGHUP also when the user's terminal is gone. Nothing ends by itself. */
  onEndSignal(signal: EndSignal): void;
  /** A signal that is not for us. */
  onPassedSignal(signal: PassedSignal): void;
  /** Nobody reads our output any more; what is written from now on is dropped. */
  onOutputLost(): void;
}

export type HostInput = Readable & { readonly isTTY?: boolean } & Partial<RawInput>;

export interface HostIo extends JobControlParts {
  readonly input: HostInput;
  /** Input is what a person types. */
  readonly hasKeys: boolean;
  readonly output: Writable;
  /** What is written is drawn. */
  readonly isScreen: boolean;
  /** Writes past the stream, at once. */
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
  /** What `close` undoes. */
  #undo: (() => void)[] = [];
  #lost = false;
  /** The tool has no room for more input. */
  #inputHeld = false;

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

  /** Resolves when the terminal is ours to take and its settings are those that a tool should find; see `JobControl.ready`. */
  ready(): Promise<void> {
    return this.#jobs.ready();
  }

  /** Takes the terminal over. Resolves when it is raw; only then may output be written. */
  async open(hooks: HostHooks): Promise<void> {
    this.#listenToOutput(hooks);
    this.#listenToSignals(hooks);
    await this.#jobs.start(hooks);
    this.#listenToInput(hooks);
  }

  /** Stops us with our whole job, as Ctrl-Z does to any program. Resolves when we go on, with the terminal taken over again. */
  async suspend(): Promise<void> {
    const isOurs = await this.#jobs.suspend(async () => {
      // One turn: what the tool said last is on its way here.
      await nextTurn();
      await Promise.race([this.flush(), new Promise<void>((go) => this.#io.clock.after(STOP_FLUSH_MS, go))]);
      this.#io.input.pause();
    });
    // Whoever reads a terminal that another job has is stopped.
    if (isOurs && !this.#inputHeld) this.resumeInput();
  }

  /** Puts the chunk out in order. Resolves when more may follow: at once, unless the user's side is slow. Never rejects. */
  write(chunk: Uint8Array): Promise<void> {
    const { output } = this.#io;
    if (this.#lost) return Promise.resolve();
    output.write(chunk, this.#onWritten);
    if (output.writableLength <= OUTPUT_PRESSURE_BYTES) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  pauseInput(): void {
    this.#inputHeld = true;
    this.#io.input.pause();
  }

  resumeInput(): void {
    this.#inputHeld = false;
    if (this.#undo.length > 0) this.#io.input.resume();
  }

  /** Resolves when all output is out, or lost. */
  flush(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#lost) resolve();
      else this.#io.output.write("", () => resolve());
    });
  }

  /** Gives the terminal back as it was found. May be called on every way out, any number of times. */
  close(): void {
    for (const undo of this.#undo.splice(0)) undo();
    this.#jobs.close();
    this.#io.input.pause();
  }

  /** Gives the terminal back when nothing can be waited for any more. `modes` puts it in a shell's. */
  abandon(modes: string): void {
    this.close();
    if (this.isWindow && modes !== "") this.#io.writeNow(modes);
  }

  /** The last call of a run, see `JobControl.endBySignal`. */
  endBySignal(): void {
    this.#jobs.endBySignal();
  }

  #listenToInput(hooks: HostHooks): void {
    const { input } = this.#io;
    // A terminal that is gone shows as an error, as an end, or as both.
    let ended = false;
    const end = () => {
      if (ended) return;
      ended = true;
      if (this.isTerminal) this.#end("SIGHUP", hooks);
      else hooks.onInputEnd();
    };
    const take = (chunk: Uint8Array) => hooks.onInput(chunk);
    input.on("data", take).on("end", end).on("error", end);
    // The listener for errors stays: without one, an error after `close` would be thrown.
    this.#undo.push(() => void input.off("data", take).off("end", end));
  }

  #listenToOutput(hooks: HostHooks): void {
    const { output } = this.#io;
    output.once("error", () => {
      this.#lost = true;
      this.#release();
      hooks.onOutputLost();
    });
  }

  #listenToSignals(hooks: HostHooks): void {
    const { events } = this.#io;
    for (const signal of END_SIGNALS) this.#on(events, signal, () => this.#end(signal, hooks));
    for (const signal of PASSED_SIGNALS) this.#on(events, signal, () => hooks.onPassedSignal(signal));
    let last = this.size;
    this.#on(events, "SIGWINCH", () => {
      const size = this.size;
      if (size.cols === last.cols && size.rows === last.rows) return;
      last = size;
      hooks.onResize(size);
    });
  }

  #end(signal: EndSignal, hooks: HostHooks): void {
    this.#jobs.ending(signal);
    hooks.onEndSignal(signal);
  }

  #on(events: ProcessEvents, event: string, listener: () => void): void {
    events.on(event, listener);
    this.#undo.push(() => void events.off(event, listener));
  }

  /** Not at "drain": that waits for a mark of Node's own, four times ours since Node 22, and does not come below it. */
  readonly #onWritten = (): void => {
    if (this.#io.output.writableLength === 0) this.#release();
  };

  #release(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

/** The terminal that this process was started in, or what stands in its place. */
export function ownTerminal(clock: Clock): HostTerminal {
  bearLostTerminals();
  const input = process.stdin;
  const isScreen = process.stdout.isTTY;
  return new HostTerminal({
    input,
    hasKeys: input.isTTY,
    output: openHostOutput(),
    isScreen,
    writeNow: writeToScreen,
    events: process,
    measure: measureHost,
    rawMode: ownRawMode(input.isTTY ? input : null, isScreen),
    job: new OwnJob({ clock }),
    isGone: watchTerminals(),
    endBy: (signal) => void process.kill(process.pid, signal),
    clock,
  });
}

function ownRawMode(keys: RawInput | null, isScreen: boolean): RawMode | null {
  if (keys) return new RawMode(keys, process, isScreen ? () => plainOutput(STDIN) : null);
  return isScreen ? new RawMode(new WrittenTerminal(STDOUT), process, () => plainOutput(STDOUT)) : null;
}

/** Does it, and leaves the user's terminal as it was: also when it fails, and when the process ends in the middle. */
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
