/** A channel that says the same state again is heard once. */
import { expect, it } from "vitest";
import type { ChannelHealth } from "../../../../src/sdk/channel.js";
import { reportChanges } from "../../../../src/sdk/service/report-changes.js";

it("reports a state that differs from the last one, and says so", () => {
  const reported: ChannelHealth[] = [];
  const report = reportChanges({ report: (health) => reported.push(health) });
  const away = { state: "degraded", reason: "away", action: "wait" } as const;
  expect([report(away), report({ ...away }), report({ ...away, reason: "slow" }), report(away)]).toEqual([
    true,
    false,
    true,
    true,
  ]);
  expect(reported.map((health) => ("reason" in health ? health.reason : ""))).toEqual([
    "away",
    "slow",
    "away",
  ]);
});
