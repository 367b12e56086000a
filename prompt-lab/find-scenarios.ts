/** Finds and reads scenario files: a file is one scenario, a folder is all `.json` files below it. */
import { readdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { AtlasBridgeError } from "../src/model/errors.js";
import { readText } from "./read-text.js";
import { parseDraft, parseScenario, type Draft, type Scenario } from "./scenario.js";
import { chooseSet, type LabSet } from "./situation.js";

/** Enough for every mistake a person can read at once. */
const PROBLEMS_SHOWN = 8;

export interface ScenarioFilter {
  readonly tool?: string;
  /** Part of the id or of the description, in any case. */
  readonly text?: string;
  readonly set?: LabSet;
}

/** Every scenario below the paths, in order of their names. Errors: ATB_SCENARIO_INVALID, naming every broken file. */
export function findScenarios(paths: readonly string[], filter: ScenarioFilter = {}): readonly Scenario[] {
  return find(paths, filter, readScenario);
}

/** As `findScenarios`, with those that nobody has labelled yet. */
export function findDrafts(paths: readonly string[], filter: ScenarioFilter = {}): readonly Draft[] {
  return find(paths, filter, readDraft);
}

function find<T extends Draft>(
  paths: readonly string[],
  filter: ScenarioFilter,
  read: (file: string) => T,
): readonly T[] {
  const problems: AtlasBridgeError[] = [];
  const scenarios = paths.flatMap(listScenarioFiles).flatMap((file) => readOrNote(file, read, problems));
  const [first] = problems;
  if (first) throw combineProblems(problems, first.hint);
  return scenarios.filter((scenario) => matchesFilter(scenario, filter));
}

/** Errors: ATB_USAGE where there is nothing. */
export function listScenarioFiles(path: string): readonly string[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats)
    throw new AtlasBridgeError("ATB_USAGE", `${path}: there is no such file or folder`, {
      hint: "Give the path of a scenario or of a folder of scenarios.",
    });
  if (!stats.isDirectory()) return [path];
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => join(path, name));
}

function readOrNote<T>(file: string, read: (file: string) => T, problems: AtlasBridgeError[]): readonly T[] {
  try {
    return [read(file)];
  } catch (error) {
    if (!(error instanceof AtlasBridgeError)) throw error;
    problems.push(error);
    return [];
  }
}

/** Errors: ATB_SCENARIO_INVALID. */
function readScenario(file: string): Scenario {
  return parseScenario(readText(file), file, readBeside(file));
}

/** Errors: ATB_SCENARIO_INVALID. */
export function readDraft(file: string): Draft {
  return parseDraft(readText(file), file, readBeside(file));
}

function readBeside(file: string): (path: string) => string {
  return (path) => readText(resolve(dirname(file), path), { file, path: "" });
}

function combineProblems(problems: readonly AtlasBridgeError[], hint: string): AtlasBridgeError {
  const more = problems.length - PROBLEMS_SHOWN;
  const lines = problems.slice(0, PROBLEMS_SHOWN).map((problem) => problem.message);
  if (more > 0) lines.push(`and ${more} more`);
  return new AtlasBridgeError("ATB_SCENARIO_INVALID", lines.join("\n"), { hint });
}

function matchesFilter(scenario: Draft, { tool, text, set }: ScenarioFilter): boolean {
  if (tool !== undefined && scenario.tool !== tool) return false;
  if (set !== undefined && chooseSet(scenario.situation) !== set) return false;
  if (text === undefined) return true;
  const names = `${scenario.scenarioId}\n${scenario.description}`;
  return names.toLowerCase().includes(text.toLowerCase());
}
