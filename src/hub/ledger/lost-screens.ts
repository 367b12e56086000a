/** Remembers when the people of a session heard that its screen cannot be read. */
import type { SessionId } from "../../model/ids.js";

/** A screen may be lost and found every second; people hear of it once in this time. */
export const SCREEN_LOST_AGAIN_MS = 10 * 60_000;

export class LostScreens {
  readonly #notifiedAt = new Map<SessionId, number>();

  /** True at most once per `SCREEN_LOST_AGAIN_MS` for each session; `now`: monotonic ms. */
  shouldNotify(sessionId: SessionId, now: number): boolean {
    if (now - (this.#notifiedAt.get(sessionId) ?? -Infinity) < SCREEN_LOST_AGAIN_MS) return false;
    this.#notifiedAt.set(sessionId, now);
    return true;
  }

  forget(sessionId: SessionId): void {
    this.#notifiedAt.delete(sessionId);
  }
}
