/** After a failed poll the waits double up to half a minute, with jitter, or are as long as the service asks. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type {
  TelegramFailure,
  TelegramFailureKind,
} from "../../../../../channels/telegram/bot-api/failure.js";
import { TIMING } from "../../../../../channels/telegram/limits.js";
import { planRetry } from "../../../../../channels/telegram/bot-api/retry.js";

function failure(kind: TelegramFailureKind, over: Partial<TelegramFailure> = {}): TelegramFailure {
  return { kind, status: null, reason: "a reason", retryAfterMs: null, ...over };
}

describe("waiting after a failed poll", () => {
  it("doubles up to half a minute while the network is away", () => {
    const waits = [1, 2, 3, 4, 5, 6, 50].map(
      (attempt) => planRetry(failure("unreachable"), attempt, 1, TIMING).waitMs,
    );
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  });

  it("comes back at once after an answer that broke, for a tap may be waiting", () => {
    const waits = [1, 2, 3, 60, 61, 62, 90].map(
      (attempt) => planRetry(failure("lost"), attempt, 1, TIMING).waitMs,
    );
    expect(waits).toEqual([250, 500, 1000, 1000, 1000, 2000, 30_000]);
  });

  it("spreads many machines over half of the time", () => {
    expect(planRetry(failure("unreachable"), 3, 0, TIMING).waitMs).toBe(2000);
  });

  it("waits exactly as long as the service asks", () => {
    expect(planRetry(failure("rate_limited", { retryAfterMs: 7000 }), 9, 0.5, TIMING).waitMs).toBe(7000);
  });

  it("fails with advice on a refused token, and still asks again", () => {
    const plan = planRetry(failure("unauthorized"), 1, 1, TIMING);
    expect(plan.health).toMatchObject({
      state: "failed",
      action: expect.stringContaining("@BotFather") as string,
    });
    expect(plan.waitMs).toBe(300_000);
  });

  it("says that another poller is there, and leaves it some time", () => {
    const plan = planRetry(failure("conflict"), 1, 0, TIMING);
    expect(plan.health).toMatchObject({
      state: "degraded",
      reason: "another AtlasBridge or program polls this bot",
    });
    expect(plan.waitMs).toBeGreaterThanOrEqual(500);
  });

  it("never waits without an end, and never for no time", () => {
    const kinds = fc.constantFrom<TelegramFailureKind>(
      "rate_limited",
      "unauthorized",
      "conflict",
      "refused",
      "lost",
      "unreachable",
    );
    fc.assert(
      fc.property(
        kinds,
        fc.integer({ min: 1, max: 1e9 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (kind, attempt, random) => {
          const { waitMs } = planRetry(failure(kind), attempt, random, TIMING);
          expect(waitMs).toBeGreaterThanOrEqual(125);
          expect(waitMs).toBeLessThanOrEqual(300_000);
        },
      ),
    );
  });
});
