/** Finds and reads scenarios: a file is one, a folder has all `.json` files below it. */
import { readdirSync, statSync, existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { AtlasBridgeError } from "../../src/model/errors.js";
import { readText } from "./read-text.js";
import { parseDraft, parseScenario, type Draft, type Scenario } from "./scenario.js";
import { chooseSet, type LabSet } from "./situation.js";
import type { Paths } from "../../src/config/paths.js";
import { findNearest } from "../../src/model/data/nearest.js";
import { findPackageRoot } from "../../src/observe/package-root.js";

const PROBLEMS_SHOWN = 8;

export interface ScenarioFilter {
  readonly tool?: string;
  /** Part of the id or the description, ignoring case. */
  readonly text?: string;
  readonly set?: LabSet;
}

/** Sorted by name. Errors: ATB_SCENARIO_INVALID with every broken file. */
export function findScenarios(paths: readonly string[], filter: ScenarioFilter = {}): readonly Scenario[] {
  return find(paths, filter, readScenario);
}

/** Includes unlabelled scenarios. */
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

/** Errors: ATB_USAGE if the path does not exist. */
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

function readScenario(file: string): Scenario {
  return parseScenario(readText(file), file, readBeside(file));
}

/** Errors: ATB_SCENARIO_INVALID. */
export function readDraft(file: string): Draft {
  return parseDraft(readText(file), file, readBeside(file));
}

function readBeside(file: string): (path: string) => string {
  return (path) => readText(resolve(dirname(file), path), file);
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

/** An installed package has no corpus. */
export function getCorpusFolder(): string {
  return join(findPackageRoot(), "prompt-lab", "scenarios");
}

/** The corpus and the user's folder, if they exist. */
export function listScenarioFolders({ scenariosDir }: Pick<Paths, "scenariosDir">): readonly string[] {
  return [getCorpusFolder(), scenariosDir].filter(existsSync);
}

export function requireOwnScenarios(paths: Pick<Paths, "scenariosDir">): readonly string[] {
  const folders = listScenarioFolders(paths);
  if (folders.length > 0) return folders;
  throw new AtlasBridgeError("ATB_USAGE", "this installation contains no scenarios", {
    hint: "Give the path of a scenario or of a folder of scenarios.",
  });
}

/** By path, or by id in the default folders. Errors: ATB_USAGE (no such scenario), ATB_SCENARIO_INVALID. */
export function findDraft(fileOrId: string, paths: Pick<Paths, "scenariosDir">): Draft {
  if (existsSync(fileOrId)) return readDraft(fileOrId);
  const ids = new Map(
    requireOwnScenarios(paths)
      .flatMap(listScenarioFiles)
      .map((file) => [readId(file), file]),
  );
  const file = ids.get(fileOrId);
  if (file !== undefined) return readDraft(file);
  const meant = findNearest(
    fileOrId,
    [...ids.keys()].filter((id) => id !== null),
  );
  throw new AtlasBridgeError("ATB_USAGE", `no scenario has the path or the id "${fileOrId}"`, {
    hint: meant === null ? "`atlasbridge lab run` lists the ids." : `Did you mean "${meant}"?`,
  });
}

/** Null if the file is no scenario; reading it reports the error. */
function readId(file: string): string | null {
  try {
    const { scenario_id: id } = JSON.parse(readFileSync(file, "utf8")) as { scenario_id?: unknown };
    return typeof id === "string" ? id : null;
  } catch {
    return null;
  }
}
