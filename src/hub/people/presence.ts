/**
 * Who types at which session's terminal. In memory: a hub that starts anew hears of it with the next key, or sends a
 * notice that could have waited.
 */
import type { SessionId } from "../../model/ids.js";

export class Presence {
  readonly #typedAt = new Map<string, number>();

  /** Somebody typed at the session's terminal at that instant. */
  typed(sessionId: SessionId, at: number): void {
    this.#typedAt.set(sessionId, at);
  }

  forget(sessionId: SessionId): void {
    this.#typedAt.delete(sessionId);
  }

  /** Until when a notice of the session waits: `deliverAfterMs` after the last key. `now` when nobody is typing. */
  heldUntil(sessionId: SessionId, now: number, deliverAfterMs: number): number {
    // A clock that was set back since: the key is not in the future.
    const typedAt = Math.min(now, this.#typedAt.get(sessionId) ?? -Infinity);
    return Math.max(now, typedAt + deliverAfterMs);
  }
}
