/**
 * Tells the hub that somebody types at this terminal, so that it can hold back what that person sees anyway: just
 * ahead of each question, and while one is open.
 */
import type { Clock } from "../../model/clock.js";
import type { HubCaller } from "./relay.js";

/** Of a person who types the hub hears no more often than this. */
const REPORT_EVERY_MS = 500;

export class TypingReporter {
  readonly #clock: Clock;
  readonly #hub: HubCaller;
  #typedAt: number | null = null;
  #reportedAt = -Infinity;

  constructor(clock: Clock, hub: HubCaller) {
    this.#clock = clock;
    this.#hub = hub;
  }

  /** A person typed. `isAsking`: a question of this session is open. */
  typed(isAsking: boolean): void {
    this.#typedAt = this.#clock.monotonic();
    if (isAsking && this.#typedAt - this.#reportedAt >= REPORT_EVERY_MS) this.tell();
  }

  /** A question is about to be told. */
  tell(): void {
    if (this.#typedAt === null || !this.#hub.connected) return;
    this.#reportedAt = this.#clock.monotonic();
    const agoMs = Math.round(this.#reportedAt - this.#typedAt);
    // Nothing depends on it: without it a notice that could have waited is sent.
    this.#hub.call("session.typed", { agoMs }).catch(() => undefined);
  }
}
