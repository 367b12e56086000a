/**
 * The idempotency key of the adapter spec is the SHA-256 of session, excerpt and time window. The list of recent keys forgets the
 * least recently seen.
 */
import { describe, expect, it } from "vitest";
import { makeIdempotencyKey, RecentKeys } from "../../../src/compat/idempotency-window.js";
import { asId, type IdempotencyKey } from "../../../src/model/ids.js";
import { idempotencyChecks } from "../../../src/compat/testing/prompt-rules.js";
import { registerChecks } from "../../support/register-checks.js";

registerChecks("the adapter spec's key by time", idempotencyChecks(makeIdempotencyKey));

describe("recent keys", () => {
  const key = (index: number): IdempotencyKey => asId<IdempotencyKey>(`key ${index}`);

  it("know a key that was seen", () => {
    const recent = new RecentKeys();
    expect(recent.checkSeen(key(1))).toBe(false);
    expect(recent.checkSeen(key(1))).toBe(true);
  });

  it("forget the least recently seen of more than 32", () => {
    const recent = new RecentKeys();
    for (let index = 0; index < 32; index++) recent.checkSeen(key(index));
    recent.checkSeen(key(0));
    recent.checkSeen(key(32));
    expect(recent.checkSeen(key(0))).toBe(true);
    expect(recent.checkSeen(key(1))).toBe(false);
  });
});
