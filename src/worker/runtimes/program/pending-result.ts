import type { Clock } from "../../../model/clock.js";
import type { CommandResult } from "./output/command-result.js";

export class PendingResult {
  readonly #clock: Clock;
  #pending: Promise<CommandResult> | null = null;
  /** The result of a command whose caller had stopped waiting. */
  #unclaimed: CommandResult | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get pending(): Promise<CommandResult> | null {
    return this.#pending;
  }

  begin(done: Promise<CommandResult>): void {
    this.#pending = done;
    this.#unclaimed = null;
    void done.then((result) => {
      this.#pending = null;
      this.#unclaimed = result;
    });
  }

  /** Resolves with null after `ms`, and lets the command continue. */
  async wait(done: Promise<CommandResult>, ms: number): Promise<CommandResult | null> {
    let stop: () => void = () => undefined;
    const late = new Promise<null>((resolve) => {
      stop = this.#clock.after(ms, () => resolve(null));
    });
    const result = await Promise.race([done, late]).finally(stop);
    if (result !== null) this.#unclaimed = null;
    return result;
  }

  /** Returns a result that nobody has waited for, once. */
  take(): CommandResult | null {
    const unclaimed = this.#unclaimed;
    this.#unclaimed = null;
    return unclaimed;
  }
}
