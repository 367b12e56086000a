/** Raw mode of the user's terminal: every byte goes through untouched both ways, and every way out gives the old mode back. */
import type { ProcessEvents } from "./own-job.js";
import type { TerminalChange } from "./stty.js";

export interface RawInput {
  setRawMode(on: boolean): unknown;
}

/** `exit` comes last on every way out that lets us act; a crash restores before its message is printed. */
const WAYS_OUT = ["exit", "uncaughtExceptionMonitor"];

export class RawMode {
  readonly #input: RawInput;
  readonly #process: ProcessEvents;
  readonly #plainOutput: (() => TerminalChange) | null;
  #change: TerminalChange | null = null;
  #raw = false;

  /** `plainOutput` turns output processing off; null leaves it as it is. */
  constructor(input: RawInput, events: ProcessEvents, plainOutput: (() => TerminalChange) | null) {
    this.#input = input;
    this.#process = events;
    this.#plainOutput = plainOutput;
  }

  /**
   * Resolves when input and output are raw: the tool's first byte must not come earlier. Also makes raw again what somebody
   * else changed while we were stopped; then what is given back in the end is still what was found at first.
   */
  async enter(): Promise<void> {
    // Node believes that it is still raw, hence off first.
    if (this.#raw) this.leave();
    this.#raw = true;
    for (const way of WAYS_OUT) this.#process.on(way, this.#leave);
    // Node's raw mode leaves output processing on: a bare line feed would become two characters (and a tool that draws by them is torn).
    this.#input.setRawMode(true);
    this.#change = this.#plainOutput?.() ?? null;
    await this.#change?.done;
  }

  leave(): void {
    this.#leave();
  }

  readonly #leave = (): void => {
    if (!this.#raw) return;
    this.#raw = false;
    this.#change?.stop();
    this.#input.setRawMode(false);
    for (const way of WAYS_OUT) this.#process.off(way, this.#leave);
  };
}
