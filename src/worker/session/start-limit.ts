/** Ends a tool that prints nothing within the time limit for its start. */
import type { Cancel, Clock } from "../../model/clock.js";

export interface StartingTool {
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

  get problem(): string | null {
    if (!this.#isExceeded) return null;
    return `it was ended because it had shown nothing ${this.#withinMs / 1000} s after its start (--start-within)`;
  }
}
