/** How adapter spec §5 tells one prompt from the next: by a window of time, and by the last keys that were seen. */
import { createHash } from "node:crypto";
import { asId, type IdempotencyKey } from "../model/ids.js";

/** One key for the same excerpt of a session within a window of time. No code of this project relies on a window: see ADR 3. */
export function makeIdempotencyKey(
  sessionId: string,
  excerpt: string,
  nowMs: number,
  windowSeconds = 5,
): IdempotencyKey {
  const window = Math.floor(Math.floor(nowMs / 1000) / windowSeconds);
  const text = `${sessionId}:${excerpt}:${window}`;
  return asId<IdempotencyKey>(createHash("sha256").update(text).digest("hex"));
}

/** Adapter spec §5: so many keys are kept in memory. */
const RECENT_KEYS_MAX = 32;

/** The last keys seen; the least recently seen is forgotten first (the adapter spec forgets any). */
export class RecentKeys {
  readonly #keys = new Set<IdempotencyKey>();

  /** Whether the key was known; it is the most recent one from now on. */
  checkSeen(key: IdempotencyKey): boolean {
    const known = this.#keys.delete(key);
    this.#keys.add(key);
    if (this.#keys.size > RECENT_KEYS_MAX) this.#forgetOldest();
    return known;
  }

  #forgetOldest(): void {
    for (const oldest of this.#keys) {
      this.#keys.delete(oldest);
      return;
    }
  }
}
