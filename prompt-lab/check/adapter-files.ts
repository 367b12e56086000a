/** Lists, shows, checks and trusts adapter files and program files for the `adapter` commands. */
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { resolvePaths, type Paths } from "../../src/config/paths.js";
import { AtlasBridgeError } from "../../src/model/errors.js";
import { findPackageRoot } from "../../src/observe/package-root.js";
import {
  addAdapterCode,
  findAdapterSources,
  formatOrigin,
  listAdapterNames,
  loadAdapter,
  readAdapterFile,
  requireAdapterFile,
  type AdapterOrigin,
  type AdapterSource,
} from "../../src/plugins/adapters/adapters.js";
import { agreeTo } from "../../src/plugins/adapters/agreed-files.js";
import { describeProgram, summarize } from "../../src/plugins/adapters/describe-program.js";
import {
  findProgramFile,
  listPrograms,
  loadProgram,
  type FoundProgram,
} from "../../src/plugins/adapters/programs.js";
import { compileAdapter } from "../../src/worker/adapter-format/compiled/compile-rules.js";
import type { CompiledAdapter, OwnFile } from "../../src/worker/adapter-format/compiled/compiled.js";
import type { ProgramFile } from "../../src/worker/adapter-format/program/program-file.js";
import { findScenarios, getCorpusFolder, listScenarioFolders } from "../scenario/find-scenarios.js";
import type { Scenario } from "../scenario/scenario.js";
import { checkAdapter, type AdapterCheck } from "./check-adapter.js";

export interface ListedAdapter {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly file: string;
  /** The user's own file, which may replace one of the package. */
  readonly own: boolean;
  readonly origin: AdapterOrigin;
  /** Origins of the files that it replaces. */
  readonly over: readonly AdapterOrigin[];
  readonly tested: boolean;
  readonly supportedVersions: string | null;
  readonly rules: number;
  readonly problem: string | null;
}

type Place = Pick<ListedAdapter, "name" | "file" | "own" | "origin" | "over">;

/** Adapters by name, then programs. A broken file is listed with its problem. */
export async function listAdapters(): Promise<ListedAdapter[]> {
  const paths = resolvePaths();
  const listed: ListedAdapter[] = [];
  for (const name of listAdapterNames(paths)) listed.push(await listAdapter(name, paths));
  const names = new Map<string, string>();
  for (const found of listPrograms(paths)) listed.push(await listProgram(found, names));
  return listed;
}

function listAdapter(name: string, paths: Paths): Promise<ListedAdapter> {
  const file = requireAdapterFile(name, paths);
  const [{ origin }, ...below] = findAdapterSources(name, paths) as [AdapterSource, ...AdapterSource[]];
  const over = below.map((source) => source.origin);
  return describeListed({ name, file, own: origin.kind === "own", origin, over }, () => {
    const { version, description, tested, supportedVersions, rules } = compile(file);
    return { version, description, tested, supportedVersions, rules: rules.length, problem: null };
  });
}

/** `names`: the names of earlier programs. No two files may have the same name. */
function listProgram(found: FoundProgram, names: Map<string, string>): Promise<ListedAdapter> {
  const { name, file, isOwn: own, replaces } = found;
  const [mine, shipped] = [{ kind: "own" }, { kind: "package" }] as const;
  const place = { name, file, own, origin: own ? mine : shipped, over: replaces === null ? [] : [shipped] };
  return describeListed(place, async () => {
    const { program } = await loadProgram(file);
    const { version, tested, aliases } = program;
    const taken = [name, ...aliases].find((each) => names.has(each));
    for (const each of [name, ...aliases]) names.set(each, names.get(each) ?? name);
    const problem = taken === undefined ? null : `"${taken}" is also a name of ${names.get(taken) ?? ""}`;
    return { version, description: summarize(program), tested, supportedVersions: null, rules: 0, problem };
  });
}

type Contents = Omit<ListedAdapter, keyof Place>;

async function describeListed(
  place: Place,
  read: () => Contents | Promise<Contents>,
): Promise<ListedAdapter> {
  try {
    return { ...place, ...(await read()) };
  } catch (error) {
    if (!(error instanceof AtlasBridgeError)) throw error;
    const nothing = { version: "", description: "", tested: false, supportedVersions: null, rules: 0 };
    return { ...place, ...nothing, problem: error.message };
  }
}

const NAME_WIDTH = 14;

export function formatListed(listed: ListedAdapter): string {
  const { version, description, origin, over, tested, supportedVersions, problem } = listed;
  const name = listed.name.padEnd(NAME_WIDTH);
  if (problem !== null) return `${name} cannot be used: ${problem}`;
  const place = origin.kind === "package" ? "" : formatOrigin(origin);
  const instead = over.length > 0 ? ` instead of ${over.map(formatOrigin).join(" and ")}` : "";
  const marks = [place + instead, tested ? "" : "not tested", supportedVersions ?? ""].filter(Boolean);
  return `${name} ${version}  ${description}${marks.length > 0 ? `  (${marks.join(", ")})` : ""}`;
}

export type Shown =
  | { readonly file: string; readonly adapter: CompiledAdapter }
  | { readonly file: string; readonly program: ProgramFile; readonly lines: readonly string[] };

/** Errors: ATB_ADAPTER_UNKNOWN, ATB_ADAPTER_INVALID. */
export async function showAdapter(name: string): Promise<Shown> {
  const paths = resolvePaths();
  if (!isProgram(name)) {
    const file = requireAdapterFile(name, paths);
    return { file, adapter: compile(file) };
  }
  const read = await findProgramFile(name, paths);
  const { program, file } = read;
  const head = `${program.name} ${program.version}  ${summarize(program)}`;
  return { file, program, lines: [head, `  file        ${file}`, ...describeProgram(read)] };
}

export function formatShown(shown: Shown): readonly string[] {
  if ("program" in shown) return shown.lines;
  const { name, version, description, tested, supportedVersions, process, aliases, states, unread, rules } =
    shown.adapter;
  const { coattach, hooks } = shown.adapter;
  const executables = process.executables.length > 0 ? process.executables : [name];
  return [
    `${name} ${version}  ${description}`,
    `  file        ${shown.file}`,
    `  starts      ${[...executables, ...aliases].join(", ")}`,
    ...(supportedVersions === null ? [] : [`  versions    ${supportedVersions}`]),
    ...(tested ? [] : ["  tested      no, it was made without recordings of the tool"]),
    ...Object.entries(states).flatMap(([state, patterns]) =>
      patterns.length > 0
        ? [`  ${state.padEnd(11)} ${patterns.map(({ pattern }) => pattern).join("  ")}`]
        : [],
    ),
    // The best way first. A command line may exclude some.
    ...(coattach ? [`  joined      ${coattach.versions}`] : []),
    ...(hooks ? [`  hooks       ${hooks.versions}`] : []),
    `  unread      ${unread}`,
    "  rules, the first that fits counts",
    ...rules.map(
      (rule) =>
        `    ${rule.name.padEnd(NAME_WIDTH)} ${rule.shape}, ${rule.safetyClass}, ${rule.score.toFixed(2)}`,
    ),
  ];
}

const PROGRAM_FAMILY = /^family:\s{0,8}["']?(?:shell|repl|debugger)\b/m;

export function isProgram(nameOrFile: string): boolean {
  if (!nameOrFile.endsWith(".yaml"))
    return listPrograms(resolvePaths()).some(({ name }) => name === nameOrFile);
  return existsSync(nameOrFile) && PROGRAM_FAMILY.test(readFileSync(nameOrFile, "utf8"));
}

export interface ProgramCheck {
  readonly name: string;
  readonly tests: number;
  readonly problems: readonly string[];
  readonly notes: readonly string[];
}

/** `names`: adapters, programs or their files; none: all. `scenarios`: files or folders; none: the default folders. */
export interface CheckOptions {
  readonly names: readonly string[];
  readonly scenarios: readonly string[];
}

/** Errors: ATB_ADAPTER_UNKNOWN, ATB_USAGE, ATB_SCENARIO_INVALID. */
export async function checkFiles({
  names,
  scenarios,
}: CheckOptions): Promise<(AdapterCheck | ProgramCheck)[]> {
  const paths = resolvePaths();
  const programs = listPrograms(paths);
  if (names.length === 0)
    return [
      ...(await checkAdapters(listAdapterNames(paths), scenarios, paths)),
      ...(await Promise.all(programs.map(({ file }) => checkProgram(file)))),
    ];
  const meant = names.filter(isProgram);
  const tools = names.filter((name) => !meant.includes(name));
  const files = meant.map((named) => programs.find(({ name }) => name === named)?.file ?? named);
  return [
    ...(tools.length > 0 ? await checkAdapters(tools, scenarios, paths) : []),
    ...(await Promise.all(files.map(checkProgram))),
  ];
}

async function checkProgram(file: string): Promise<ProgramCheck> {
  try {
    const { program, notes } = await loadProgram(file);
    return { name: program.name, tests: program.tests.length, problems: [], notes };
  } catch (error) {
    if (!(error instanceof AtlasBridgeError)) throw error;
    return { name: basename(file, ".yaml"), tests: 0, problems: error.message.split("\n"), notes: [] };
  }
}

/** A file that does not compile gives a check with that problem; broken scenarios are then not reported, so that they do not hide it. */
async function checkAdapters(
  names: readonly string[],
  scenarios: readonly string[],
  paths: Paths,
): Promise<AdapterCheck[]> {
  const compiled = names.map((name) => compileToCheck(findFile(name, paths)));
  const broken = compiled.filter((each) => "problems" in each);
  const all = readScenarios(scenarios.length > 0 ? scenarios : listScenarioFolders(paths), broken.length > 0);
  if (all === null) return broken;
  const checks: AdapterCheck[] = [];
  for (const each of compiled) checks.push("problems" in each ? each : await checkCompiled(each, all));
  return checks;
}

/** Null if `leaveOut` and a scenario is broken. Errors: ATB_USAGE, ATB_SCENARIO_INVALID. */
function readScenarios(folders: readonly string[], leaveOut: boolean): readonly Scenario[] | null {
  try {
    return findScenarios(folders);
  } catch (error) {
    if (leaveOut && error instanceof AtlasBridgeError && error.code === "ATB_SCENARIO_INVALID") return null;
    throw error;
  }
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

function compileToCheck(file: string): CompiledFile | AdapterCheck {
  try {
    return { file, adapter: addAdapterCode(compile(file)) };
  } catch (error) {
    if (!(error instanceof AtlasBridgeError) || error.code !== "ATB_ADAPTER_INVALID") throw error;
    const name = basename(file, ".yaml");
    return { name, scenarios: 0, silent: 0, rules: [], problems: error.message.split("\n"), notes: [] };
  }
}

async function checkCompiled(
  { file, adapter }: CompiledFile,
  all: readonly Scenario[],
): Promise<AdapterCheck> {
  const scenarios = all.filter(({ tool }) => tool === adapter.name);
  // The source repository tests the package's own adapters.
  const isElsewhereTested =
    !existsSync(getCorpusFolder()) && dirname(file) === join(findPackageRoot(), "adapters");
  if (scenarios.length > 0 || !isElsewhereTested)
    return checkAdapter(adapter, readAdapterFile(file), scenarios);
  const rules = adapter.rules.map((rule) => ({ rule: rule.name, scenarios: 0 }));
  const notes = ["its scenarios are in the source repository, not in this installation"];
  return { name: adapter.name, scenarios: 0, silent: 0, rules, problems: [], notes };
}

/** Errors: ATB_ADAPTER_INVALID, also if the file's name is not the adapter's. */
function compile(file: string): CompiledAdapter {
  const adapter = compileAdapter(readAdapterFile(file), file);
  if (adapter.name === basename(file, ".yaml")) return adapter;
  throw new AtlasBridgeError(
    "ATB_ADAPTER_INVALID",
    `${file}: its name is "${adapter.name}", not the file's`,
    { hint: "The file must have the adapter's name." },
  );
}

export function formatCheck(check: AdapterCheck | ProgramCheck): readonly string[] {
  const { name, problems, notes } = check;
  const counts =
    "tests" in check
      ? `tests: ${check.tests} (run them: atlasbridge adapter test ${name})`
      : `rules: ${check.rules.length}, scenarios: ${check.scenarios}, silent: ${check.silent}`;
  return [
    `${problems.length === 0 ? "✓" : "✗"} ${name}  ${counts}`,
    ...problems.map((problem) => `    - ${problem}`),
    ...notes.map((note) => `    · ${note}`),
  ];
}

/**
 * The user agrees to run these files. `named`: adapters or programs, or their files. Errors: ATB_USAGE, ATB_ADAPTER_*, and as `agreeTo`.
 */
export async function trustAdapters(named: readonly string[]): Promise<readonly OwnFile[]> {
  const found = await Promise.all(named.map(findOwn));
  for (const own of found) agreeTo(own, resolvePaths());
  return found;
}

async function findOwn(named: string): Promise<OwnFile> {
  const paths = resolvePaths();
  const name = basename(named, ".yaml");
  const program = listPrograms(paths).find((each) => each.name === named)?.file ?? named;
  const { own } = await (isProgram(named) ? loadProgram(program) : loadAdapter(name, paths));
  // Another file of the same name would not be used.
  const isMeant =
    named === name || (existsSync(named) && own && realpathSync(named) === realpathSync(own.file));
  if (own && isMeant) return own;
  throw new AtlasBridgeError("ATB_USAGE", `${named} is no adapter file of yours`, {
    hint: `Yours are in ${paths.adaptersDir}. Those of the package and of bundles need no agreement.`,
  });
}
