/** When a worker that misses the hub starts one itself. A hub that was stopped or replaced on purpose is not started again at once. */
import type { Clock } from "../../model/clock.js";

/** Least time between two starts by one session: what a hub needs to come up on an idle machine, and a little more. */
export const START_PAUSE_FIRST_MS = 500;
/** A hub that cannot start (a mistake in its configuration) is tried this rarely. */
export const START_PAUSE_MAX_MS = 30_000;
/** Whoever had the hub replaced starts the next one within a second or two; if nobody does, we do. */
export const REPLACED_PATIENCE_MS = 10_000;

export interface HubStarterOptions {
  /**
   * Starts a hub process, unless somebody else tried that within the last `pauseMs`, and returns at once. May throw: then it is
   * tried again later.
   */
  readonly startHub: (pauseMs: number) => void;
  readonly clock: Pick<Clock, "monotonic">;
}

export class HubStarter {
  readonly #options: HubStarterOptions;
  #pauseMs = START_PAUSE_FIRST_MS;
  #allowedAt = -Infinity;
  #stoppedOnPurpose = false;
  /** The hub is older than our program and ends because of us: the next one is ours to start. */
  #startsNext = false;

  constructor(options: HubStarterOptions) {
    this.#options = options;
  }

  /** False after somebody stopped the hub: it comes back when they want it. */
  get expectsHub(): boolean {
    return !this.#stoppedOnPurpose;
  }

  /** A hub took our session. `draining`: it makes way for one of our program. */
  opened(draining: boolean): void {
    this.#pauseMs = START_PAUSE_FIRST_MS;
    this.#stoppedOnPurpose = false;
    this.#startsNext = draining;
  }

  /** The hub said why it ends. */
  leaving(reason: "stopped" | "replaced"): void {
    const now = this.#options.clock.monotonic();
    if (reason === "stopped") this.#stoppedOnPurpose = true;
    else this.#allowedAt = this.#startsNext ? now : now + REPLACED_PATIENCE_MS;
  }

  /** Nobody serves. Starts a hub if it is time to. */
  missed(): void {
    const now = this.#options.clock.monotonic();
    if (this.#stoppedOnPurpose || now < this.#allowedAt) return;
    const pauseMs = this.#pauseMs;
    this.#allowedAt = now + pauseMs;
    this.#pauseMs = Math.min(pauseMs * 2, START_PAUSE_MAX_MS);
    try {
      this.#options.startHub(pauseMs);
    } catch {
      // No process to be had or no log to be opened: the tool goes on, and it is tried again.
    }
  }
}
