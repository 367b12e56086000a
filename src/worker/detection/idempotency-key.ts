/** When two sightings are one prompt (ADR 3). */
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

function sha256(text: string): IdempotencyKey {
  return asId<IdempotencyKey>(createHash("sha256").update(text).digest("hex"));
}
