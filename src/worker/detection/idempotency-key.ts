/** The key by which two sightings count as one prompt (ADR 3). */
import { createHash } from "node:crypto";
import { asId, type Fingerprint, type IdempotencyKey, type SessionId } from "../../model/ids.js";

/** The key is the same for every source and every redraw of one prompt, and another one when the tool prompts again. */
export function createIdempotencyKey(
  sessionId: SessionId,
  epoch: number,
  fingerprint: Fingerprint,
): IdempotencyKey {
  return hashKey(`${sessionId}\n${epoch}\n${fingerprint}`);
}

function hashKey(text: string): IdempotencyKey {
  return asId<IdempotencyKey>(createHash("sha256").update(text).digest("hex"));
}
