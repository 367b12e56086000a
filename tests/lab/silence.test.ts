/** A recording in which nothing is asked raises no unread prompt, however long its screen stands. */
import { describe, expect, it } from "vitest";
import { findScenarios } from "../../prompt-lab/scenario/find-scenarios.js";
import { createAdapterLoader } from "../../src/plugins/adapters/adapters.js";
import { replay } from "../../prompt-lab/replay/replay.js";

/** Longer than anything waits before it is asked about unread. */
const LONG_MS = 15_000;

// What was drawn by hand shows no composer and no status line, and counts as unread for that.
const recorded = findScenarios(["prompt-lab/scenarios"]).filter(
  ({ expected, events }) => expected.type === null && events.length > 1,
);

describe("a recording in which nothing is asked", () => {
  it("is not raised as an unread prompt, however long its screen stands", async () => {
    const load = createAdapterLoader({ adaptersDir: "" });
    const raised: string[] = [];
    for (const { tool, events, cols, rows, tty, scenarioId } of recorded) {
      const { pending } = await replay(await load(tool), events, { cols, rows, tty, settleMs: LONG_MS });
      if (pending) raised.push(`${scenarioId}: ${pending.candidate.rule}`);
    }
    expect(recorded.length).toBeGreaterThan(100);
    expect(raised).toEqual([]);
  });
});
