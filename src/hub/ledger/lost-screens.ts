/** Which sessions' people were told that the screen cannot be followed. */
import type { SessionId } from "../../model/ids.js";

/** A tool may draw so that its screen is lost and found again every second; people are told once in so long. */
export const SCREEN_LOST_AGAIN_MS = 10 * 60_000;

export class LostScreens {
  readonly #toldAt = new Map<SessionId, number>();

  /** True at most once in `SCREEN_LOST_AGAIN_MS` for each session; `now`: monotonic ms. */
  mayTell(sessionId: SessionId, now: number): boolean {
    if (now - (this.#toldAt.get(sessionId) ?? -Infinity) < SCREEN_LOST_AGAIN_MS) return false;
    this.#toldAt.set(sessionId, now);
    return true;
  }

  forget(sessionId: SessionId): void {
    this.#toldAt.delete(sessionId);
  }
}
