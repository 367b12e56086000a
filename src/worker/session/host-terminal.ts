/** The user's terminal, or the pipes in its place: bytes in and out with flow control, size, signals, mode. */
import type { Readable, Writable } from "node:stream";
import type { TerminalSize } from "../transport/terminal.js";
import { hostSize, openHostOutput } from "./host-output.js";
import { RawMode, type ProcessEvents, type RawInput } from "./host-raw-mode.js";

/** The tool's terminal when the user has none: what full-screen tools show whole (narrow ones hide choices). */
export const SIZE_WITHOUT_TERMINAL: TerminalSize = { cols: 120, rows: 50 };
/** With more than this unwritten, the tool is stopped: enough for a full redraw, little enough that Ctrl-C acts soon. */
export const OUTPUT_PRESSURE_BYTES = 64 * 1024;

/** Signals by which somebody asks us to end. Ctrl-C and Ctrl-\ are no such: in raw mode they are bytes for the tool. */
const END_SIGNALS = ["SIGHUP", "SIGTERM", "SIGINT", "SIGQUIT"] as const;
export type EndSignal = (typeof END_SIGNALS)[number];

export interface HostHooks {
  onInput(chunk: Uint8Array): void;
  /** A pipe or file on stdin ended. Never called for a terminal. */
  onInputEnd(): void;
  onResize(size: TerminalSize): void;
  /** We are asked to end; SIGHUP also when the user's terminal is gone. Nothing ends by itself. */
  onEndSignal(signal: EndSignal): void;
  /** Nobody reads our output any more; what is written from now on is dropped. */
  onOutputLost(): void;
}

export type HostInput = Readable & { readonly isTTY?: boolean } & Partial<RawInput>;

export interface HostIo {
  readonly input: HostInput;
  readonly output: Writable;
  readonly events: ProcessEvents;
  readonly measure: () => TerminalSize | null;
  /** Null when stdin is no terminal. */
  readonly rawMode: Pick<RawMode, "enter" | "leave"> | null;
}

export function systemIo(): HostIo {
  const input = process.stdin;
  return {
    input,
    output: openHostOutput(),
    events: process,
    measure: hostSize,
    rawMode: input.isTTY ? new RawMode(input) : null,
  };
}

export class HostTerminal {
  /** True when a person can type here. */
  readonly isTerminal: boolean;
  readonly #io: HostIo;
  #waiting: (() => void)[] = [];
  /** What `close` undoes. */
  #undo: (() => void)[] = [];
  #lost = false;

  constructor(io: HostIo = systemIo()) {
    this.#io = io;
    this.isTerminal = io.rawMode !== null;
  }

  /** In character cells; `SIZE_WITHOUT_TERMINAL` where there is none. */
  get size(): TerminalSize {
    return this.#io.measure() ?? SIZE_WITHOUT_TERMINAL;
  }

  /** Takes the terminal over. Resolves when it is raw; only then may output be written. */
  async open(hooks: HostHooks): Promise<void> {
    this.#listenToOutput(hooks);
    this.#listenToSignals(hooks);
    await this.#io.rawMode?.enter();
    this.#listenToInput(hooks);
  }

  /** Puts the chunk out in order. Resolves when more may follow: at once, unless the user's side is slow. Never rejects. */
  write(chunk: Uint8Array): Promise<void> {
    const { output } = this.#io;
    if (this.#lost) return Promise.resolve();
    output.write(chunk);
    if (output.writableLength <= OUTPUT_PRESSURE_BYTES) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  pauseInput(): void {
    this.#io.input.pause();
  }

  resumeInput(): void {
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
    this.#io.rawMode?.leave();
    this.#io.input.pause();
  }

  #listenToInput(hooks: HostHooks): void {
    const { input } = this.#io;
    // A terminal that is gone shows as an error, as an end, or as both.
    let ended = false;
    const end = () => {
      if (ended) return;
      ended = true;
      if (this.isTerminal) hooks.onEndSignal("SIGHUP");
      else hooks.onInputEnd();
    };
    const take = (chunk: Uint8Array) => hooks.onInput(chunk);
    input.on("data", take).on("end", end).on("error", end);
    // The listener for errors stays: without one, an error after `close` would be thrown.
    this.#undo.push(() => void input.off("data", take).off("end", end));
  }

  #listenToOutput(hooks: HostHooks): void {
    const { output } = this.#io;
    output.on("drain", () => this.#release());
    output.once("error", () => {
      this.#lost = true;
      this.#release();
      hooks.onOutputLost();
    });
  }

  #listenToSignals(hooks: HostHooks): void {
    const { events } = this.#io;
    for (const signal of END_SIGNALS) this.#on(events, signal, () => hooks.onEndSignal(signal));
    let last = this.size;
    this.#on(events, "SIGWINCH", () => {
      const size = this.size;
      if (size.cols === last.cols && size.rows === last.rows) return;
      last = size;
      hooks.onResize(size);
    });
  }

  #on(events: ProcessEvents, event: string, listener: () => void): void {
    events.on(event, listener);
    this.#undo.push(() => void events.off(event, listener));
  }

  #release(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
