/**
 * After a connection to Slack ended, the waits before the next one double up to a bound, with jitter, or are as long as the
 * service asks.
 */
import { describe, expect, it } from "vitest";
import { TIMING } from "../../../../../channels/slack/limits.js";
import { planRetry } from "../../../../../channels/slack/web-api/retry.js";
import type { SlackFailureKind } from "../../../../../channels/slack/web-api/failure.js";
import type { SocketEnd } from "../../../../../channels/slack/socket-mode/socket.js";

const lost = (kind: SlackFailureKind, reason = "x", retryAfterMs: number | null = null): SocketEnd => ({
  kind: "lost",
  failure: { kind, reason, retryAfterMs },
});
const waits = (end: SocketEnd, random = 1): number[] =>
  [1, 2, 3, 10, 1000].map((attempt) => planRetry(end, attempt, random, TIMING).waitMs);

describe("waiting after a connection to Slack ended", () => {
  it("doubles up to a bound, with jitter, and is never zero", () => {
    expect(waits(lost("unreachable"))).toEqual([1000, 2000, 4000, 30_000, 30_000]);
    expect(waits(lost("lost"), 0)).toEqual([125, 250, 500, 15_000, 15_000]);
    expect(waits({ kind: "dismissed", reason: "too_many_websockets" })).toEqual([
      10_000, 20_000, 40_000, 120_000, 120_000,
    ]);
  });

  it("is long after a refusal, and as long as a rate limit says", () => {
    expect(waits(lost("unauthorized"))).toEqual(Array(5).fill(300_000));
    expect(waits({ kind: "dismissed", reason: "link_disabled" })).toEqual(Array(5).fill(300_000));
    expect(waits(lost("rate_limited", "ratelimited", 42_000))).toEqual(Array(5).fill(42_000));
    expect(waits(lost("rate_limited"))[0]).toBe(1000);
  });

  it.each<[SocketEnd, string, RegExp]>([
    [lost("unauthorized", "invalid_auth"), "failed", /Copy both tokens/],
    [lost("unauthorized", "missing_scope (connections:write)"), "failed", /that scope/],
    [lost("refused", "forbidden_team"), "failed", /manifest/],
    [lost("lost"), "degraded", /network/],
    [lost("rate_limited"), "degraded", /Nothing to do/],
    [{ kind: "dismissed", reason: "link_disabled" }, "failed", /Socket Mode/],
    [{ kind: "dismissed", reason: "too_many_websockets" }, "degraded", /one app per machine/],
    [{ kind: "dismissed", reason: "because" }, "degraded", /network/],
  ])("tells people what to do: %j", (end, state, action) => {
    expect(planRetry(end, 1, 0.5, TIMING).health).toMatchObject({
      state,
      action: expect.stringMatching(action) as string,
    });
  });
});
