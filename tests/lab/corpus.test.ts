import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findScenarios } from "../../prompt-lab/find-scenarios.js";
import { boxed } from "../../prompt-lab/reporters/pretty.js";
import { runScenario } from "../../prompt-lab/run-scenario.js";
import { systemClock } from "../../src/observe/clock.js";
import { compileAdapter } from "../../src/worker/detect/compile-rules.js";
import type { CompiledAdapter } from "../../src/worker/detect/compiled.js";

const CORPUS = "prompt-lab/scenarios";
const scenarios = findScenarios([CORPUS]);
const tools = [...new Set(scenarios.map((scenario) => scenario.tool))];

const adapters = new Map<string, CompiledAdapter>();

function adapterOf(tool: string): CompiledAdapter {
  const file = join("adapters", `${tool}.yaml`);
  const adapter = adapters.get(tool) ?? compileAdapter(readFileSync(file, "utf8"), file);
  adapters.set(tool, adapter);
  return adapter;
}

for (const tool of tools) {
  describe(`recordings of ${tool}`, () => {
    for (const scenario of scenarios.filter((other) => other.tool === tool)) {
      it(scenario.scenarioId, async () => {
        const { failures, frame } = await runScenario(scenario, adapterOf(tool), systemClock);
        expect(failures, boxed(frame).join("\n")).toEqual([]);
      });
    }
  });
}

describe("the corpus", () => {
  it("has an id for every scenario", () => {
    const ids = scenarios.map((scenario) => scenario.scenarioId);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it("holds many recordings in which nothing may be asked", () => {
    const silent = scenarios.filter(({ expected }) => expected.type === null && expected.count === 0);
    expect(silent.length).toBeGreaterThanOrEqual(30);
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
