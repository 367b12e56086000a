/**
 * Tells the hub that somebody types at this terminal, so that it can hold back what that person sees anyway. It reports just ahead
 * of whatever may become a message (a prompt, a state, the end), and while somebody types.
 */
import type { Clock } from "../../model/clock.js";
import type { HubCaller } from "./relay.js";

/** While a person types beside an open prompt, the hub gets no more than one report in this time. */
const REPORT_EVERY_MS = 500;
/** Without a prompt only messages about the session wait, which come a little late without harm. */
const REPORT_WITHOUT_PROMPT_MS = 5_000;

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
    const everyMs = isAsking ? REPORT_EVERY_MS : REPORT_WITHOUT_PROMPT_MS;
    if (this.#typedAt - this.#reportedAt >= everyMs) this.report();
  }

  /** Call just before something is reported that may become a message. */
  report(): void {
    if (this.#typedAt === null || !this.#hub.connected) return;
    this.#reportedAt = this.#clock.monotonic();
    const agoMs = Math.round(this.#reportedAt - this.#typedAt);
    // Nothing depends on it: without it a notice is sent that could have waited.
    this.#hub.call("session.typed", { agoMs }).catch(() => undefined);
  }
}
