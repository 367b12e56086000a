/**
 * Every recording gives the prompts that its scenario names, every shipped adapter holds on them, and the published accuracy is
 * that of these recordings.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { formatFigures, measureCorpus, publishedFigures } from "../../bench/detection/page.js";
import { checkAdapter } from "../../prompt-lab/check/check-adapter.js";
import { findScenarios } from "../../prompt-lab/scenario/find-scenarios.js";
import { drawBox } from "../../prompt-lab/replay/reporters.js";
import { listFailures, replayScenario } from "../../prompt-lab/replay/run-scenario.js";
import type { Scenario } from "../../prompt-lab/scenario/scenario.js";
import { addAdapterCode } from "../../src/plugins/adapters/adapters.js";
import { compileAdapter } from "../../src/worker/adapter-format/compiled/compile-rules.js";
import type { CompiledAdapter } from "../../src/worker/adapter-format/compiled/compiled.js";
import type { ReplayResult } from "../../prompt-lab/replay/replay.js";

const CORPUS = "prompt-lab/scenarios";
const ADAPTERS = "adapters";

const scenarios = findScenarios([CORPUS]);
const tools = [...new Set(scenarios.map((scenario) => scenario.tool))];
const adapterFiles = readdirSync(ADAPTERS).filter((name) => name.endsWith(".yaml"));

const adapters = new Map<string, CompiledAdapter>();

function findAdapter(tool: string): CompiledAdapter {
  const file = join(ADAPTERS, `${tool}.yaml`);
  const adapter = adapters.get(tool) ?? addAdapterCode(compileAdapter(readFileSync(file, "utf8"), file));
  adapters.set(tool, adapter);
  return adapter;
}

const played = new Map<string, ReplayResult>();

async function play(scenario: Scenario): Promise<ReplayResult> {
  const shown =
    played.get(scenario.scenarioId) ?? (await replayScenario(scenario, findAdapter(scenario.tool)));
  played.set(scenario.scenarioId, shown);
  return shown;
}

for (const tool of tools) {
  describe(`recordings of ${tool}`, () => {
    for (const scenario of scenarios.filter((other) => other.tool === tool)) {
      it(scenario.scenarioId, async () => {
        const shown = await play(scenario);
        const frame = shown.view.lines.map(({ text }) => text);
        expect(listFailures(scenario, shown), drawBox(frame).join("\n")).toEqual([]);
      });
    }
  });
}

describe("every adapter that is shipped", () => {
  it.each(adapterFiles)(
    "%s holds: each rule fires in a recording, it is silent in some, and nothing private is inside",
    async (name) => {
      const adapter = findAdapter(name.slice(0, -".yaml".length));
      const text = readFileSync(join(ADAPTERS, name), "utf8");
      const own = scenarios.filter(({ tool }) => tool === adapter.name);
      expect((await checkAdapter(adapter, text, own, play)).problems).toEqual([]);
    },
  );
});

describe("the published accuracy", () => {
  it("equals that of these recordings (`npm run bench:detection -- --write` updates it)", async () => {
    // Times come from a virtual clock: the same everywhere.
    expect(publishedFigures()).toBe(formatFigures(await measureCorpus(play)));
  });
});

describe("the corpus", () => {
  it("has an id for every scenario", () => {
    const ids = scenarios.map((scenario) => scenario.scenarioId);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it("has a scenario for every recording", () => {
    const files = readdirSync(CORPUS, { recursive: true, encoding: "utf8" });
    const named = new Set(
      files.filter((file) => file.endsWith(".json")).map((file) => file.slice(0, -".json".length)),
    );
    const recordings = files
      .filter((file) => file.endsWith(".jsonl"))
      .map((file) => file.slice(0, -".jsonl".length));
    expect(recordings.filter((name) => !named.has(name))).toEqual([]);
  });

  it("names no home but that of the stand-in", () => {
    const shown = scenarios.map(({ file, events }) => {
      const bytes = events.map((event) =>
        "data_b64" in event ? Buffer.from(event.data_b64, "base64").toString() : "",
      );
      return { file, text: bytes.join("") };
    });
    const telling = shown.filter(({ text }) => /\/(?:home|Users)\/(?!dev\b)\w|\/root\b/.test(text));
    expect(telling.map(({ file }) => file)).toEqual([]);
  });
});
