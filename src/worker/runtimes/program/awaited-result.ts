/** The result of the command that was begun last, for whoever waits for it first. */
import type { Clock } from "../../../model/clock.js";
import type { CommandResult } from "./output/command-result.js";

export class AwaitedResult {
  readonly #clock: Clock;
  #pending: Promise<CommandResult> | null = null;
  /** Of a command that nobody waited for. */
  #unclaimed: CommandResult | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Of the command that goes on; null: none does. */
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

  /** Resolves with null once it takes longer than `ms`. The command goes on then. */
  async wait(done: Promise<CommandResult>, ms: number): Promise<CommandResult | null> {
    let stop: () => void = () => undefined;
    const late = new Promise<null>((resolve) => {
      stop = this.#clock.after(ms, () => resolve(null));
    });
    const result = await Promise.race([done, late]).finally(stop);
    if (result !== null) this.#unclaimed = null;
    return result;
  }

  /** That of a command which nobody has waited for, once; null: there is none. */
  take(): CommandResult | null {
    const unclaimed = this.#unclaimed;
    this.#unclaimed = null;
    return unclaimed;
  }
}
