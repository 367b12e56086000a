/** Raw mode of the user's terminal: every byte passes unchanged in both directions, and every way out restores the old mode. */
import type { ProcessEvents } from "../../../observe/job/own-job.js";
import type { TerminalChange } from "./stty.js";

export interface RawInput {
  setRawMode(on: boolean): unknown;
}

/** `exit` comes last on every way out on which we can act; on a crash the mode is restored before its message is printed. */
const EXIT_EVENTS = ["exit", "uncaughtExceptionMonitor"];

export class RawMode {
  readonly #input: RawInput;
  readonly #process: ProcessEvents;
  readonly #disableOutputProcessing: (() => TerminalChange) | null;
  #change: TerminalChange | null = null;
  #isRaw = false;

  /** `disableOutputProcessing` is null where output stays as it is. */
  constructor(input: RawInput, events: ProcessEvents, plainOutput: (() => TerminalChange) | null) {
    this.#input = input;
    this.#process = events;
    this.#disableOutputProcessing = plainOutput;
  }

  /**
   * Resolves when input and output are raw: the tool's first byte must not come earlier. Call it also after a stop, when another
   * program may have changed the mode; what is restored in the end is still the mode found first.
   */
  async enter(): Promise<void> {
    // Node believes that the mode is still raw, so it is turned off first.
    if (this.#isRaw) this.leave();
    this.#isRaw = true;
    for (const way of EXIT_EVENTS) this.#process.on(way, this.#leave);
    // Node's raw mode leaves output processing on: a bare line feed would become two characters, which breaks tools that draw with it.
    this.#input.setRawMode(true);
    this.#change = this.#disableOutputProcessing?.() ?? null;
    await this.#change?.done;
  }

  leave(): void {
    this.#leave();
  }

  readonly #leave = (): void => {
    if (!this.#isRaw) return;
    this.#isRaw = false;
    this.#change?.stop();
    this.#input.setRawMode(false);
    for (const way of EXIT_EVENTS) this.#process.off(way, this.#leave);
  };
}
