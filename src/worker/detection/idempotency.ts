/** When two sightings are one prompt (ADR 3), and the adapter spec's older way of telling. */
import { createHash } from "node:crypto";
import { asId, type Fingerprint, type IdempotencyKey, type SessionId } from "../../model/ids.js";

/** The key of one asking of one question: the same for every source and every redraw, another for the next asking. */
export function idempotencyKeyOf(
  sessionId: SessionId,
  epoch: number,
  fingerprint: Fingerprint,
): IdempotencyKey {
  return sha256(`${sessionId}\n${epoch}\n${fingerprint}`);
}

/** Adapter spec §5, for compatibility; nothing of ours relies on a time window. */
export function makeIdempotencyKey(
  sessionId: string,
  excerpt: string,
  nowMs: number,
  windowSeconds = 5,
): IdempotencyKey {
  const window = Math.floor(Math.floor(nowMs / 1000) / windowSeconds);
  return sha256(`${sessionId}:${excerpt}:${window}`);
}

function sha256(text: string): IdempotencyKey {
  return asId<IdempotencyKey>(createHash("sha256").update(text).digest("hex"));
}

/** Adapter spec §5: so many keys are kept in memory. */
const RECENT_KEYS_MAX = 32;

/** The last keys seen; the least recently seen is forgotten first (the adapter spec forgets any). */
export class RecentKeys {
  readonly #keys = new Set<IdempotencyKey>();

  /** Whether the key was known; it is the most recent one from now on. */
  seen(key: IdempotencyKey): boolean {
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
