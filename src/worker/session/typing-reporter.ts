/**
 * Tells the hub that somebody types at this terminal, so that it can delay messages that this person sees anyway. It reports just before
 * each possible message, and during typing.
 */
import type { Clock } from "../../model/clock.js";
import type { HubCaller } from "./relay.js";

/** The least time between two reports while a prompt is open. */
const REPORT_EVERY_MS = 500;
/** Without a prompt, messages about the session may come a little late. */
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

  report(): void {
    if (this.#typedAt === null || !this.#hub.connected) return;
    this.#reportedAt = this.#clock.monotonic();
    const agoMs = Math.round(this.#reportedAt - this.#typedAt);
    // Without it the hub only sends a message that could have waited.
    this.#hub.call("session.typed", { agoMs }).catch(() => undefined);
  }
}
