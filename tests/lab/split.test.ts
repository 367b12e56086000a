/** A recording gives the same result wherever its bytes are split. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findScenarios } from "../../prompt-lab/scenario/find-scenarios.js";
import { runScenario } from "../../prompt-lab/replay/run-scenario.js";
import { systemClock } from "../../src/observe/clock.js";
import { addAdapterCode } from "../../src/plugins/adapters/adapters.js";
import { compileAdapter } from "../../src/worker/adapter-format/compiled/compile-rules.js";
import type { RecordingEvent } from "../../src/worker/screen/recording-event.js";

/** The whole corpus at every split would take minutes; chance finds what depends on a split. */
const RUNS = 20;

const scenarios = findScenarios(["prompt-lab/scenarios"]);

/** The same bytes in pieces of the given lengths, over and over; sizes and keys stay where they were. */
function split(events: readonly RecordingEvent[], lengths: readonly number[]): readonly RecordingEvent[] {
  let turn = 0;
  return events.flatMap((event) => {
    if (!("data_b64" in event)) return [event];
    const bytes = Buffer.from(event.data_b64, "base64");
    const pieces: RecordingEvent[] = [];
    for (let at = 0; at < bytes.length; turn++) {
      const end = at + (lengths[turn % lengths.length] ?? 1);
      pieces.push({ t_ms: event.t_ms, data_b64: bytes.subarray(at, end).toString("base64") });
      at = end;
    }
    return pieces;
  });
}

describe("a recording in other pieces", () => {
  it("gives the same result as in its own pieces", async () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...scenarios), lengths, async (scenario, pieces) => {
        const file = `adapters/${scenario.tool}.yaml`;
        const adapter = addAdapterCode(compileAdapter(readFileSync(file, "utf8"), file));
        const whole = await runScenario(scenario, adapter, systemClock);
        const cut = await runScenario(
          { ...scenario, events: split(scenario.events, pieces) },
          adapter,
          systemClock,
        );
        expect(cut.actual).toEqual(whole.actual);
        expect(cut.frame).toEqual(whole.frame);
      }),
      { numRuns: RUNS },
    );
  });
});
