/** Decides when a worker starts a missing hub. One that was stopped or replaced on purpose is not started again at once. */
import type { Clock } from "../../model/clock.js";

/** The least time between two starts by one session: slightly more than a hub needs on an idle machine. */
export const START_PAUSE_FIRST_MS = 500;
/** The pause for a hub that cannot start, as with a broken configuration. */
export const START_PAUSE_MAX_MS = 30_000;
/** The program that replaces a hub starts the next one within seconds; otherwise we do. */
export const REPLACED_PATIENCE_MS = 10_000;

export interface HubRestarterOptions {
  /** Starts a hub process and returns at once, unless another worker tried it within `pauseMs`. May throw; then it is repeated later. */
  readonly startHub: (pauseMs: number) => void;
  /** Whether the last hub was stopped on purpose; a session without a connection gets no message about that. */
  readonly wasStopped?: () => boolean;
  readonly clock: Pick<Clock, "monotonic">;
}

export class HubRestarter {
  readonly #options: HubRestarterOptions;
  #pauseMs = START_PAUSE_FIRST_MS;
  #allowedAt = -Infinity;
  #stoppedOnPurpose = false;
  wasServed = false;
  /** The hub is older than our program and ends because of us, so we start the next one. */
  #startsNext = false;

  constructor(options: HubRestarterOptions) {
    this.#options = options;
  }

  get expectsHub(): boolean {
    return !this.#stoppedOnPurpose;
  }

  /** Call when a hub accepted our session. `draining`: it makes way for a hub of our version. */
  noteOpened(draining: boolean): void {
    this.#pauseMs = START_PAUSE_FIRST_MS;
    this.#stoppedOnPurpose = false;
    this.wasServed = true;
    this.#startsNext = draining;
  }

  noteLeaving(reason: "stopped" | "replaced"): void {
    const now = this.#options.clock.monotonic();
    if (reason === "stopped") this.#stoppedOnPurpose = true;
    else this.#allowedAt = this.#startsNext ? now : now + REPLACED_PATIENCE_MS;
  }

  startIfDue(): void {
    const now = this.#options.clock.monotonic();
    // A new session requests a hub; an older one respects the stop.
    if (this.wasServed && this.#options.wasStopped?.() === true) this.#stoppedOnPurpose = true;
    if (this.#stoppedOnPurpose || now < this.#allowedAt) return;
    const pauseMs = this.#pauseMs;
    this.#allowedAt = now + pauseMs;
    this.#pauseMs = Math.min(pauseMs * 2, START_PAUSE_MAX_MS);
    try {
      this.#options.startHub(pauseMs);
    } catch {
      // The tool continues without a hub, and the start is repeated later.
    }
  }
}
