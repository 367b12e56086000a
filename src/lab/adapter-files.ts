/** Commands for adapter authors: list, show, check and create adapters. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { checkAdapter, type AdapterCheck } from "../../prompt-lab/check-adapter.js";
import { findScenarios } from "../../prompt-lab/find-scenarios.js";
import type { Scenario } from "../../prompt-lab/scenario.js";
import { createAdapterFiles } from "../../prompt-lab/new-adapter.js";
import { resolvePaths, type Paths } from "../config/paths.js";
import { AtlasBridgeError } from "../model/errors.js";
import { compileAdapter } from "../worker/adapter-format/compiled/compile-rules.js";
import type { CompiledAdapter } from "../worker/adapter-format/compiled/compiled.js";
import { addAdapterCode } from "../plugins/adapters/adapter-code.js";
import {
  findAdapterSources,
  listAdapterNames,
  readAdapterFile,
  requireAdapterFile,
  type AdapterOrigin,
  type AdapterSource,
} from "../plugins/adapters/adapters.js";
import { getCorpusFolder, listScenarioFolders } from "./scenarios.js";
import { findPackageRoot } from "../observe/package-root.js";
import { buildSchemaLine } from "../plugins/schema-line.js";

export type { AdapterCheck } from "../../prompt-lab/check-adapter.js";

export interface ListedAdapter {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly file: string;
  /** The user's own, possibly replacing one of the package. */
  readonly own: boolean;
  readonly origin: AdapterOrigin;
  /** Where the files come from that it is used instead of. */
  readonly over: readonly AdapterOrigin[];
  readonly tested: boolean;
  readonly supportedVersions: string | null;
  readonly rules: number;
  /** Why it is unusable, or null. */
  readonly problem: string | null;
}

/** All adapters by name; a broken file is listed with its problem. */
export function listAdapters(): ListedAdapter[] {
  const paths = resolvePaths();
  return listAdapterNames(paths).map((name) => describeListed(name, paths));
}

function describeListed(name: string, paths: Paths): ListedAdapter {
  const file = requireAdapterFile(name, paths);
  const [{ origin }, ...below] = findAdapterSources(name, paths) as [AdapterSource, ...AdapterSource[]];
  const over = below.map((source) => source.origin);
  const place = { name, file, own: origin.kind === "own", origin, over };
  try {
    const { version, description, tested, supportedVersions, rules } = compile(file);
    return { ...place, version, description, tested, supportedVersions, rules: rules.length, problem: null };
  } catch (error) {
    if (!(error instanceof AtlasBridgeError)) throw error;
    const nothing = { version: "", description: "", tested: false, supportedVersions: null, rules: 0 };
    return { ...place, ...nothing, problem: error.message };
  }
}

export interface ShownAdapter {
  readonly file: string;
  readonly adapter: CompiledAdapter;
}

/** Errors: ATB_ADAPTER_UNKNOWN, ATB_ADAPTER_INVALID. */
export function showAdapter(name: string): ShownAdapter {
  const paths = resolvePaths();
  const file = requireAdapterFile(name, paths);
  return { file, adapter: compile(file) };
}

/** `names`: adapters or files; none: all adapters. `scenarios`: files or folders; none: one's own. */
export interface CheckOptions {
  readonly names: readonly string[];
  readonly scenarios: readonly string[];
}

/**
 * A file that does not compile gives a check with that problem. Broken scenarios are told only where every file compiles: scenarios that cannot
 * be read yet must not hide a mistake in the file. Errors: ATB_ADAPTER_UNKNOWN, ATB_USAGE, ATB_SCENARIO_INVALID.
 */
export async function checkAdapters({ names, scenarios }: CheckOptions): Promise<AdapterCheck[]> {
  const paths = resolvePaths();
  const files = names.length > 0 ? names.map((name) => findFile(name, paths)) : listAdapterFiles(paths);
  const compiled = files.map(compileToCheck);
  const broken = compiled.filter((each) => "problems" in each);
  const all = readScenarios(scenarios.length > 0 ? scenarios : listScenarioFolders(paths), broken.length > 0);
  if (all === null) return broken;
  const checks: AdapterCheck[] = [];
  for (const each of compiled) checks.push("problems" in each ? each : await checkCompiled(each, all));
  return checks;
}

/** Null where one is broken, and that is to be left out. Errors: ATB_USAGE, ATB_SCENARIO_INVALID. */
function readScenarios(folders: readonly string[], leaveOut: boolean): readonly Scenario[] | null {
  try {
    return findScenarios(folders);
  } catch (error) {
    if (leaveOut && error instanceof AtlasBridgeError && error.code === "ATB_SCENARIO_INVALID") return null;
    throw error;
  }
}

function listAdapterFiles(paths: Paths): string[] {
  return listAdapterNames(paths).map((name) => requireAdapterFile(name, paths));
}

function findFile(nameOrFile: string, paths: Paths): string {
  if (!nameOrFile.endsWith(".yaml")) return requireAdapterFile(nameOrFile, paths);
  if (existsSync(nameOrFile)) return nameOrFile;
  throw new AtlasBridgeError("ATB_USAGE", `${nameOrFile} does not exist`, {
    hint: "Give an adapter's name or file.",
  });
}

interface CompiledFile {
  readonly file: string;
  readonly adapter: CompiledAdapter;
}

async function checkCompiled(
  { file, adapter }: CompiledFile,
  all: readonly Scenario[],
): Promise<AdapterCheck> {
  const scenarios = all.filter(({ tool }) => tool === adapter.name);
  if (scenarios.length === 0 && isElsewhereTested(file)) return buildUntestedCheck(adapter);
  return checkAdapter(adapter, readAdapterFile(file), scenarios);
}

function compileToCheck(file: string): CompiledFile | AdapterCheck {
  try {
    return { file, adapter: addAdapterCode(compile(file)) };
  } catch (error) {
    if (!(error instanceof AtlasBridgeError) || error.code !== "ATB_ADAPTER_INVALID") throw error;
    const name = basename(file, ".yaml");
    return { name, scenarios: 0, silent: 0, rules: [], problems: error.message.split("\n"), notes: [] };
  }
}

/** The package's own adapters are tested in the source repository. */
function isElsewhereTested(file: string): boolean {
  return !existsSync(getCorpusFolder()) && dirname(file) === join(findPackageRoot(), "adapters");
}

function buildUntestedCheck({ name, rules }: CompiledAdapter): AdapterCheck {
  const counts = rules.map((rule) => ({ rule: rule.name, scenarios: 0 }));
  const notes = ["its scenarios are in the source repository, not in this installation"];
  return { name, scenarios: 0, silent: 0, rules: counts, problems: [], notes };
}

/** Errors: ATB_ADAPTER_INVALID, also if the file does not have its adapter's name. */
function compile(file: string): CompiledAdapter {
  const adapter = compileAdapter(readAdapterFile(file), file);
  if (adapter.name === basename(file, ".yaml")) return adapter;
  throw new AtlasBridgeError(
    "ATB_ADAPTER_INVALID",
    `${file}: its name is "${adapter.name}", not the file's`,
    {
      hint: "The file must have the adapter's name.",
    },
  );
}

export interface NewAdapterOptions {
  readonly name: string;
  /** The tool's executable. */
  readonly executable: string;
  /** Into this checkout instead of the user's configuration. */
  readonly intoPackage: boolean;
}

/** Files of a checkout refer to the schema by a relative path, because they go to other machines. */
const PACKAGE_SCHEMA = "# yaml-language-server: $schema=../schemas/adapter.schema.json\n";

const NAME = /^[a-z][a-z0-9_-]{0,39}$/;

/** Writes a commented adapter and its first scenarios; resolves to the files. Errors: ATB_USAGE (invalid name, or a file exists). */
export function createAdapter({ name, executable, intoPackage }: NewAdapterOptions): string[] {
  const paths = resolvePaths();
  if (!NAME.test(name))
    throw usageError(
      `"${name}" is not a valid adapter name`,
      "Lower-case letters, digits, - and _, at most 40.",
    );
  if (listAdapterNames(paths).includes(name))
    throw usageError(`adapter "${name}" already exists`, `Show it: atlasbridge adapter show ${name}`);
  const [adapters, scenarios] = intoPackage
    ? [join(findPackageRoot(), "adapters"), join(findPackageRoot(), "prompt-lab", "scenarios", name)]
    : [paths.adaptersDir, join(paths.scenariosDir, name)];
  const { adapter, scenarios: first } = createAdapterFiles(name, executable);
  const firstLine = intoPackage ? PACKAGE_SCHEMA : buildSchemaLine("adapter");
  const files = [
    { file: join(adapters, `${name}.yaml`), text: firstLine + adapter },
    ...first.map(({ name: scenario, text }) => ({ file: join(scenarios, `${scenario}.json`), text })),
  ];
  for (const { file, text } of files) writeNew(file, text);
  return files.map(({ file }) => file);
}

/** Writes a file that is not there yet, with its folders. Errors: ATB_USAGE. */
export function writeNew(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { flag: "wx" });
  } catch (cause) {
    throw new AtlasBridgeError("ATB_USAGE", `${file} cannot be written`, {
      hint: existsSync(file)
        ? "The file exists already; it was not changed."
        : "Check that you may write there.",
      cause,
    });
  }
}

function usageError(message: string, hint: string): AtlasBridgeError {
  return new AtlasBridgeError("ATB_USAGE", message, { hint });
}
