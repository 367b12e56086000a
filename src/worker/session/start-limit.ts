/** Ends a tool that shows nothing within the time that its user gave it for its start. */
import type { Cancel, Clock } from "../../model/clock.js";

export interface StartingTool {
  /** It has shown something. */
  readonly hasOutput: boolean;
  readonly exited: Promise<unknown>;
  terminate(): Promise<void>;
}

export class StartLimit {
  readonly #withinMs: number;
  readonly #cancel: Cancel;
  #isExceeded = false;

  constructor(tool: StartingTool, clock: Clock, withinMs: number) {
    this.#withinMs = withinMs;
    this.#cancel = clock.after(withinMs, () => {
      if (tool.hasOutput) return;
      this.#isExceeded = true;
      void tool.terminate();
    });
    void tool.exited.then(this.#cancel);
  }

  /** Why it was ended; null: it was not. */
  get problem(): string | null {
    if (!this.#isExceeded) return null;
    return `it was ended because it had shown nothing ${this.#withinMs / 1000} s after its start (--start-within)`;
  }
}
