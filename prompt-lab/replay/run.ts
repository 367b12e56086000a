import { writeFileSync } from "node:fs";
import { findScenarios, type ScenarioFilter, requireOwnScenarios } from "../scenario/find-scenarios.js";
import {
  summarise,
  type Reporter,
  type ScenarioResult,
  type Summary,
  jsonReporter,
  junitReporter,
  prettyReporter,
} from "./reporters.js";
import { runScenario } from "./run-scenario.js";
import type { Scenario } from "../scenario/scenario.js";
import { resolvePaths } from "../../src/config/paths.js";
import { AtlasBridgeError } from "../../src/model/errors.js";
import { systemClock } from "../../src/observe/clock.js";
import { createAdapterLoader } from "../../src/plugins/adapters/adapters.js";

export type ReporterName = "pretty" | "json" | "junit";

const REPORTER: Readonly<Record<ReporterName, Reporter>> = {
  pretty: prettyReporter,
  json: jsonReporter,
  junit: junitReporter,
};

export interface LabRunOptions {
  /** Files and folders; none: the default folders. */
  readonly paths: readonly string[];
  readonly filter: ScenarioFilter;
  readonly reporter: ReporterName;
  /** Writes the report to this file. */
  readonly out: string | null;
}

export interface LabRun {
  readonly summary: Summary;
  readonly text: string;
}

/** Errors: ATB_USAGE (nothing to run), ATB_SCENARIO_INVALID, ATB_ADAPTER_UNKNOWN, ATB_ADAPTER_INVALID. */
export async function runLab(options: LabRunOptions): Promise<LabRun> {
  const paths = options.paths.length > 0 ? options.paths : requireOwnScenarios(resolvePaths());
  const scenarios = findScenarios(paths, options.filter);
  if (scenarios.length === 0) throw createNothingToRunError(paths, options.filter);
  const results = await runAll(scenarios);
  const summary = summarise(results);
  const report = REPORTER[options.reporter](results);
  if (options.out === null) return { summary, text: report };
  writeReport(options.out, report);
  return { summary, text: `${summary.passed} of ${summary.total} passed; report in ${options.out}\n` };
}

function writeReport(file: string, report: string): void {
  try {
    writeFileSync(file, report);
  } catch (cause) {
    throw new AtlasBridgeError("ATB_USAGE", `${file}: the report cannot be written`, {
      hint: "Choose a file in an existing folder with --out.",
      cause,
    });
  }
}

async function runAll(scenarios: readonly Scenario[]): Promise<readonly ScenarioResult[]> {
  const load = createAdapterLoader(resolvePaths());
  const results: ScenarioResult[] = [];
  for (const scenario of scenarios)
    results.push(await runScenario(scenario, await load(scenario.tool), systemClock));
  return results;
}

export function createNothingToRunError(
  paths: readonly string[],
  { tool, text, set }: ScenarioFilter,
): AtlasBridgeError {
  const narrowed = [tool && `tool "${tool}"`, text && `"${text}" in its name`, set && `set "${set}"`]
    .filter(Boolean)
    .join(" and ");
  const wanted = narrowed === "" ? "no scenario" : `no scenario with ${narrowed}`;
  return new AtlasBridgeError("ATB_USAGE", `${wanted} in ${paths.join(", ")}`, {
    hint: "Nothing was run. Check --tool, the filter and the paths.",
  });
}
