/** Remembers whose people were told that the session's screen cannot be read. */
import type { SessionId } from "../../model/ids.js";

/** A tool may lose and regain its screen every second; people are told once per interval. */
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
