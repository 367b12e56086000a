/**
 * The idempotency key of the adapter spec is the SHA-256 of session, excerpt and time window. The list of recent keys forgets the
 * least recently seen.
 */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { makeIdempotencyKey, RecentKeys } from "../../../src/compat/idempotency-window.js";
import { asId, type IdempotencyKey } from "../../../src/model/ids.js";

describe("the adapter spec's key by time", () => {
  it("is the SHA-256 of session, excerpt and window", () => {
    const expected = createHash("sha256").update("s:Continue?:200").digest("hex");
    expect(makeIdempotencyKey("s", "Continue?", 1_003_999)).toBe(expected);
  });

  it("changes with the window only", () => {
    const at = (ms: number): string => makeIdempotencyKey("s", "q", ms);
    expect(at(0)).toBe(at(4999));
    expect(at(4999)).not.toBe(at(5000));
    expect(makeIdempotencyKey("s", "q", 9000, 10)).toBe(makeIdempotencyKey("s", "q", 0, 10));
  });
});

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
