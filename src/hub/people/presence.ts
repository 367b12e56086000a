/** Who types at which session's terminal. In memory only: a restarted hub learns it with the next key. */
import type { SessionId } from "../../model/ids.js";

export class Presence {
  readonly #typedAt = new Map<string, number>();
  #latest = -Infinity;

  noteTyping(sessionId: SessionId, at: number): void {
    this.#typedAt.set(sessionId, at);
    this.#latest = at;
  }

  forget(sessionId: SessionId): void {
    this.#typedAt.delete(sessionId);
  }

  /**
   * Until when a notice is held back: `deliverAfterMs` after the last key at the session's terminal; null: at any terminal. `now` if
   * nobody types.
   */
  computeHoldEnd(sessionId: SessionId | null, now: number, deliverAfterMs: number): number {
    const latest = sessionId === null ? this.#latest : (this.#typedAt.get(sessionId) ?? -Infinity);
    // After the clock was set back, the last key must not lie in the future.
    const typedAt = Math.min(now, latest);
    return Math.max(now, typedAt + deliverAfterMs);
  }
}
