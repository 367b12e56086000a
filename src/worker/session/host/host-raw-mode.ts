/** Raw mode of the user's terminal. The old mode is restored however the process ends. */
import type { ProcessEvents } from "../../../observe/job/own-job.js";
import type { TerminalChange } from "./stty.js";

export interface RawInput {
  setRawMode(on: boolean): unknown;
}

/** `exit` comes last in every orderly end; after a crash the mode is restored before the message is printed. */
const EXIT_EVENTS = ["exit", "uncaughtExceptionMonitor"];

export class RawMode {
  readonly #input: RawInput;
  readonly #process: ProcessEvents;
  readonly #disableOutputProcessing: (() => TerminalChange) | null;
  #change: TerminalChange | null = null;
  #isRaw = false;

  constructor(input: RawInput, events: ProcessEvents, plainOutput: (() => TerminalChange) | null) {
    this.#input = input;
    this.#process = events;
    this.#disableOutputProcessing = plainOutput;
  }

  /**
   * Resolves when input and output are raw, which must precede the tool's first byte. Call it again after a stop, when another program may
   * have changed the mode; `leave` still restores the first one.
   */
  async enter(): Promise<void> {
    // Node assumes that the mode is still raw, so it is turned off first.
    if (this.#isRaw) this.leave();
    this.#isRaw = true;
    for (const way of EXIT_EVENTS) this.#process.on(way, this.leave);
    // Node's raw mode keeps output processing on, which would turn a line feed into two characters and garble drawings.
    this.#input.setRawMode(true);
    this.#change = this.#disableOutputProcessing?.() ?? null;
    await this.#change?.done;
  }

  readonly leave = (): void => {
    if (!this.#isRaw) return;
    this.#isRaw = false;
    this.#change?.stop();
    this.#input.setRawMode(false);
    for (const way of EXIT_EVENTS) this.#process.off(way, this.leave);
  };
}
