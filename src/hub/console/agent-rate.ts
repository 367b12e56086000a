/** How many rows an agent may put on record without a permission. The audit is never pruned, and refused calls cost an agent no effort. */
import type { Clock } from "../../model/clock.js";
import { ROWS_MAX, WINDOW_MS } from "../ledger/incidents.js";

interface Window {
  readonly startedAt: number;
  count: number;
}

/** `last`: this one says that the following are not on record. */
export type Room = "free" | "last" | "none";

export class AgentRate {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #windows = new Map<string, Window>();

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock;
  }

  /** Call once for each interrupt and each refusal. As many as at the hub's door, for each agent. */
  use(own: string): Room {
    const now = this.#forgetOld();
    const window = this.#windows.get(own) ?? { startedAt: now, count: 0 };
    this.#windows.set(own, window);
    window.count += 1;
    return window.count < ROWS_MAX ? "free" : window.count === ROWS_MAX ? "last" : "none";
  }

  /** Beside the row of its refusal there is room for one that is no refusal. */
  hasRoom(own: string): boolean {
    this.#forgetOld();
    return (this.#windows.get(own)?.count ?? 0) < ROWS_MAX - 1;
  }

  #forgetOld(): number {
    const now = this.#clock.monotonic();
    for (const [key, { startedAt }] of this.#windows)
      if (now - startedAt >= WINDOW_MS) this.#windows.delete(key);
    return now;
  }
}
