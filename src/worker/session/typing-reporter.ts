/**
 * Tells the hub that somebody types at this terminal, so that it can hold back what that person sees anyway. It reports just ahead
 * of each prompt, and while one is open.
 */
import type { Clock } from "../../model/clock.js";
import type { HubCaller } from "./relay.js";

/** While a person types, the hub gets no more than one report in this time. */
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

  /** Call when a person typed. `isAsking`: a prompt of this session is open. */
  noteTyping(isAsking: boolean): void {
    this.#typedAt = this.#clock.monotonic();
    if (isAsking && this.#typedAt - this.#reportedAt >= REPORT_EVERY_MS) this.report();
  }

  /** Call just before a prompt is reported. */
  report(): void {
    if (this.#typedAt === null || !this.#hub.connected) return;
    this.#reportedAt = this.#clock.monotonic();
    const agoMs = Math.round(this.#reportedAt - this.#typedAt);
    // Nothing depends on it: without it a notice is sent that could have waited.
    this.#hub.call("session.typed", { agoMs }).catch(() => undefined);
  }
}
