/** The cost of a run is what the agent says in US dollars, less what earlier runs of its session have cost. */
import { expect, it } from "vitest";
import { SessionCost } from "../../../../../src/worker/integrations/acp/session-cost.js";

function takeSums(isResumed: boolean, ...sums: readonly (readonly [number, string])[]): number | null {
  const cost = new SessionCost(isResumed);
  for (const [amount, currency] of sums)
    cost.take({ kind: "usage", used: 1, size: 2, cost: { amount, currency } });
  return cost.usd;
}

it("of a new session is the latest sum", () => {
  expect(takeSums(false, [0.1, "USD"], [0.3, "USD"])).toBe(0.3);
});

it("is not known where none was told, or in another currency, or less than nothing", () => {
  expect(takeSums(false)).toBeNull();
  expect(takeSums(false, [3, "EUR"], [4, ""], [-1, "USD"])).toBeNull();
});

it("of a session that is resumed leaves out what was spent before", () => {
  expect(takeSums(true, [0.1, "USD"])).toBeNull();
  expect(takeSums(true, [0.1, "USD"], [0.3, "USD"])).toBe(0.2);
  expect(takeSums(true, [0.1, "USD"], [0.05, "USD"])).toBe(0.05);
});
