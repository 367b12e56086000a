/** Pauses the tool while any of several parts asks for it; the tool continues when the last one releases it. */
import type { Clock } from "../../../model/clock.js";
import type { Terminal } from "../../process/terminal.js";

/** The screen gathers up to two thirds of this on purpose. Resuming soon keeps the delay of an echo below a millisecond. */
const SCREEN_BACKLOG_HIGH = 768 * 1024;
const SCREEN_BACKLOG_LOW = 736 * 1024;

export class Backpressure {
  readonly #terminal: Pick<Terminal, "pause" | "resume">;
  readonly #clock: Clock;
  readonly #reasons = new Set<string>();
  #pausedAt = 0;

  constructor(terminal: Pick<Terminal, "pause" | "resume">, clock: Clock) {
    this.#terminal = terminal;
    this.#clock = clock;
  }

  get pausedMs(): number {
    return this.#reasons.size === 0 ? 0 : this.#clock.monotonic() - this.#pausedAt;
  }

  onBacklog(bytes: number): void {
    if (bytes > SCREEN_BACKLOG_HIGH) this.set("screen", true);
    else if (bytes < SCREEN_BACKLOG_LOW) this.set("screen", false);
  }

  set(reason: string, wanted: boolean): void {
    const before = this.#reasons.size;
    if (wanted) this.#reasons.add(reason);
    else this.#reasons.delete(reason);
    if (before === 0 && this.#reasons.size > 0) {
      this.#pausedAt = this.#clock.monotonic();
      this.#terminal.pause();
    }
    if (before > 0 && this.#reasons.size === 0) this.#terminal.resume();
  }
}
