/**
 * The published accuracy rests on at least 400 recordings of 130 situations, of which a third asks nothing, divided by situation
 * into two sets.
 */
import { describe, expect, it } from "vitest";
import { findScenarios } from "../../prompt-lab/find-scenarios.js";
import { LAB_SETS, chooseSet, type LabSet } from "../../prompt-lab/situation.js";
import { CLAUDE_VERSION } from "../support/real-cli/claude.js";
import { codex } from "../support/real-cli/codex.js";
import { copilot } from "../support/real-cli/copilot.js";
import { gemini } from "../support/real-cli/gemini.js";
import { opencode } from "../support/real-cli/opencode.js";
import { qwen } from "../support/real-cli/qwen.js";
import { SIZES } from "../support/corpus/situation.js";

/** The versions that the adapters were written against, and the last major one before where it differs. */
const TESTED: Readonly<Record<string, readonly string[]>> = {
  claude: [CLAUDE_VERSION, "2.0.76"],
  codex: [codex.version],
  copilot: [copilot.version],
  gemini: [gemini.version],
  opencode: [opencode.version],
  qwen: [qwen.version],
};
const AGENTS = Object.keys(TESTED);

// What was drawn by hand is one piece of output.
const recorded = findScenarios(["prompt-lab/scenarios"]).filter(({ events }) => events.length > 1);
const ofTool = (name: string) => recorded.filter(({ tool }) => tool === name);

function computeShares(tools: readonly string[]): Readonly<Record<LabSet, number>> {
  const situations = [...new Set(tools.flatMap(ofTool).map(({ situation }) => situation))];
  const share = (set: LabSet): number =>
    situations.filter((name) => chooseSet(name) === set).length / situations.length;
  return { develop: share("develop"), measure: share("measure") };
}

describe("the recordings", () => {
  it("are at least 400 of 130 situations, and in a third of them nothing is asked all the way", () => {
    const silent = recorded.filter(({ expected }) => expected.type === null && expected.count === 0);
    expect(recorded.length).toBeGreaterThanOrEqual(400);
    expect(new Set(recorded.map(({ situation }) => situation)).size).toBeGreaterThanOrEqual(130);
    expect(silent.length / recorded.length).toBeGreaterThan(1 / 3);
  });

  it("hold at least 100 of plain programs", () => {
    expect(ofTool("generic").length).toBeGreaterThanOrEqual(100);
  });

  it.each([...AGENTS, "generic"])("of %s are of all three sizes", (tool) => {
    const sizes = new Set(ofTool(tool).map(({ cols, rows }) => `${cols}x${rows}`));
    expect(SIZES.filter((size) => !sizes.has(size))).toEqual([]);
  });

  it.each(Object.entries(TESTED))("of %s are at least 30 for each version %j", (tool, versions) => {
    for (const version of versions) {
      const own = ofTool(tool).filter(({ scenarioId }) => scenarioId.includes(`_${version}`));
      expect(own.length, version).toBeGreaterThanOrEqual(30);
    }
  });

  it.each([...AGENTS, "generic"])("of %s are in both sets", (tool) => {
    for (const set of LAB_SETS) expect(computeShares([tool])[set], set).toBeGreaterThan(0);
  });

  it("are divided by situation, about 80 to 20", () => {
    expect(computeShares([...AGENTS, "generic"]).measure).toBeGreaterThan(0.17);
    expect(computeShares([...AGENTS, "generic"]).measure).toBeLessThan(0.27);
  });
});
