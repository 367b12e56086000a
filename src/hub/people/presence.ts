/** Who types at which session's terminal. In memory only: a restarted hub learns it with the next key. */
import type { SessionId } from "../../model/ids.js";

export class Presence {
  readonly #typedAt = new Map<string, number>();

  noteTyping(sessionId: SessionId, at: number): void {
    this.#typedAt.set(sessionId, at);
  }

  forget(sessionId: SessionId): void {
    this.#typedAt.delete(sessionId);
  }

  /** Until when a notice of the session is held back: `deliverAfterMs` after the last key. `now` if nobody types. */
  computeHoldEnd(sessionId: SessionId, now: number, deliverAfterMs: number): number {
    // After the clock was set back, the last key must not lie in the future.
    const typedAt = Math.min(now, this.#typedAt.get(sessionId) ?? -Infinity);
    return Math.max(now, typedAt + deliverAfterMs);
  }
}
