/** Decides when a worker without a hub starts one. A hub that was stopped or replaced on purpose is not started again at once. */
import type { Clock } from "../../model/clock.js";

/** Least time between two starts by one session: a little more than a hub needs to start on an idle machine. */
export const START_PAUSE_FIRST_MS = 500;
/** A hub that cannot start (because of a configuration error) is tried this rarely. */
export const START_PAUSE_MAX_MS = 30_000;
/** Whoever replaces the hub starts the next one within a second or two; if nobody does, we do. */
export const REPLACED_PATIENCE_MS = 10_000;

export interface HubRestarterOptions {
  /**
   * Starts a hub process, unless another worker tried that within the last `pauseMs`, and returns at once. May throw; then it is
   * tried again later.
   */
  readonly startHub: (pauseMs: number) => void;
  /** Whether the last hub was stopped on purpose. A session that was not connected then is told by nobody. */
  readonly wasStopped?: () => boolean;
  readonly clock: Pick<Clock, "monotonic">;
}

export class HubRestarter {
  readonly #options: HubRestarterOptions;
  #pauseMs = START_PAUSE_FIRST_MS;
  #allowedAt = -Infinity;
  #stoppedOnPurpose = false;
  #wasServed = false;
  /** The hub is older than our program and ends because of us, so we start the next one. */
  #startsNext = false;

  constructor(options: HubRestarterOptions) {
    this.#options = options;
  }

  /** Whether a hub has ever accepted our session. */
  get wasServed(): boolean {
    return this.#wasServed;
  }

  /** False after a person stopped the hub: it comes back when they want it. */
  get expectsHub(): boolean {
    return !this.#stoppedOnPurpose;
  }

  /** Call when a hub accepted our session. `draining`: it makes way for a hub of our program's version. */
  noteOpened(draining: boolean): void {
    this.#pauseMs = START_PAUSE_FIRST_MS;
    this.#stoppedOnPurpose = false;
    this.#wasServed = true;
    this.#startsNext = draining;
  }

  /** Call when the hub said why it ends. */
  noteLeaving(reason: "stopped" | "replaced"): void {
    const now = this.#options.clock.monotonic();
    if (reason === "stopped") this.#stoppedOnPurpose = true;
    else this.#allowedAt = this.#startsNext ? now : now + REPLACED_PATIENCE_MS;
  }

  /** Call when no hub serves. Starts a hub if it is time to. */
  startIfDue(): void {
    const now = this.#options.clock.monotonic();
    // A session that starts now is a new wish for a hub; one that ran on is none.
    if (this.#wasServed && this.#options.wasStopped?.() === true) this.#stoppedOnPurpose = true;
    if (this.#stoppedOnPurpose || now < this.#allowedAt) return;
    const pauseMs = this.#pauseMs;
    this.#allowedAt = now + pauseMs;
    this.#pauseMs = Math.min(pauseMs * 2, START_PAUSE_MAX_MS);
    try {
      this.#options.startHub(pauseMs);
    } catch {
      // No process or no log could be opened: the tool continues, and the start is tried again.
    }
  }
}
