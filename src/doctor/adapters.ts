/** Checks adapter files, and whether the installed tools have the versions that they were written for. */
import { isInRange } from "../model/data/version-range.js";
import type { Environment } from "../worker/process/child-environment.js";
import type { CompiledAdapter } from "../worker/adapter-format/compiled/compiled.js";
import {
  findAdapterSources,
  GENERIC_ADAPTER,
  listAdapterNames,
  loadAdapter,
  type AdapterOrigin,
  type AdapterPlace,
} from "../plugins/adapters/adapters.js";
import { readAgreement, type AgreedPlace } from "../plugins/adapters/agreed-files.js";
import { describeTooOld, findFirstExecutable, readVersion } from "../worker/runtimes/tool-version.js";
import { reportError, passCheck, warnCheck, type CheckFinding } from "./check.js";
import { AtlasBridgeError } from "../model/errors.js";
import { listPrograms, loadProgram, type FoundProgram } from "../plugins/adapters/programs.js";
import { findProgram } from "../worker/runtimes/program/launch.js";
import { inspectBundles, type InspectedBundle } from "../bundles/read-bundle.js";
import type { Paths } from "../config/paths.js";
import type { LoggedReading } from "../observe/reading-log.js";
import { makePrintable } from "../sdk/text.js";

export interface AdapterFacts {
  readonly name: string;
  readonly file: string;
  readonly origin: AdapterOrigin;
  readonly adapter: CompiledAdapter | null;
  readonly isAgreed: boolean;
  readonly error: unknown;
  /** Null: the adapter is broken, or for no certain tool. */
  readonly installed: FoundTool | null;
}

/** `unasked`: its adapter file names no versions. `unknown`: the tool did not name its version. */
type FoundTool =
  | { readonly kind: "absent" }
  | { readonly kind: "unasked" | "unknown"; readonly file: string }
  | { readonly kind: "installed"; readonly file: string; readonly version: string };

type DoctorPlace = AdapterPlace & AgreedPlace;

/** Adapters without a tool to install. */
const WITHOUT_TOOL = [GENERIC_ADAPTER, "demo-agent"];

export function readAdapters(place: DoctorPlace, environment: Environment): Promise<AdapterFacts[]> {
  return Promise.all(listAdapterNames(place).map((name) => readAdapter(name, place, environment)));
}

const PACKAGE: AdapterOrigin = { kind: "package" };

async function readAdapter(name: string, place: DoctorPlace, env: Environment): Promise<AdapterFacts> {
  const source = { name, ...(findAdapterSources(name, place)[0] ?? { file: name, origin: PACKAGE }) };
  try {
    const adapter = await loadAdapter(name, place);
    const isAgreed = adapter.own === undefined || readAgreement(adapter.own, place) === "agreed";
    const installed = WITHOUT_TOOL.includes(name) ? null : await findTool(adapter, env, isAgreed);
    return { ...source, adapter, isAgreed, error: null, installed };
  } catch (error) {
    return { ...source, adapter: null, isAgreed: false, error, installed: null };
  }
}

/** A tool is started for its version only if its adapter file names one, and may be run. */
async function findTool(adapter: CompiledAdapter, env: Environment, isAgreed: boolean): Promise<FoundTool> {
  const { name, process, headless, supportedVersions } = adapter;
  const own = process.executables.length > 0 ? process.executables : [name];
  const file = findFirstExecutable([...own, ...(headless?.executables ?? [])], env["PATH"]);
  if (file === null) return { kind: "absent" };
  const namesVersion = supportedVersions !== null || (headless?.minVersion ?? null) !== null;
  if (!namesVersion || !isAgreed) return { kind: "unasked", file };
  const version = await readVersion(file, env);
  return version === null ? { kind: "unknown", file } : { kind: "installed", file, version };
}

export function checkAdapters(facts: readonly AdapterFacts[]): CheckFinding[] {
  const usable = facts.filter(({ adapter }) => adapter !== null).map(({ name }) => name);
  return [
    passCheck("adapters", `${usable.length} usable: ${usable.join(", ")}`),
    ...facts.flatMap(checkAdapter),
  ];
}

function checkAdapter(facts: AdapterFacts): CheckFinding[] {
  const { file, origin, adapter, isAgreed, error, installed } = facts;
  const name = `adapter:${facts.name}` as const;
  if (!adapter) return [reportError(name, error)];
  const where = describeOrigin(origin, file, isAgreed);
  if (!installed) return where === null ? [] : [passCheck(name, where)];
  const { fits, description, action } = judgeVersion(adapter, installed);
  const found = where === null ? description : `${description}; ${where}`;
  return [fits ? passCheck(name, found) : warnCheck(name, found, action)];
}

/** Null for the package's own. */
function describeOrigin(origin: AdapterOrigin, file: string, isAgreed: boolean): string | null {
  switch (origin.kind) {
    case "own":
      return `yours (${file})${isAgreed ? "" : ", which asks before it is run"}`;
    case "bundle":
      return `from the bundle ${origin.name} ${origin.version}`;
    case "package":
      return null;
  }
}

interface VersionJudgement {
  readonly fits: boolean;
  readonly description: string;
  readonly action: string | null;
}

function judgeVersion(adapter: CompiledAdapter, installed: FoundTool): VersionJudgement {
  switch (installed.kind) {
    case "absent":
      return { fits: true, description: `${adapter.name} is not installed`, action: null };
    case "unasked":
      return { fits: true, description: `${installed.file} is installed`, action: null };
    case "unknown":
      return {
        fits: false,
        description: `${installed.file} --version names no version`,
        action: OTHER_VERSION,
      };
    case "installed":
      return judgeInstalled(adapter, installed);
  }
}

function judgeInstalled(
  { supportedVersions: range, headless }: CompiledAdapter,
  { version, file }: Extract<FoundTool, { kind: "installed" }>,
): VersionJudgement {
  const min = headless?.minVersion ?? null;
  const old = describeTooOld(file, version, min);
  if (old !== null)
    return {
      fits: false,
      description: old,
      action: `Update it before \`atlasbridge exec\`. ${OTHER_VERSION}`,
    };
  if (range === null)
    return {
      fits: true,
      description: `${file} is ${version}, new enough to run headless (>=${min})`,
      action: null,
    };
  const fits = isInRange(version, range);
  const description = `${file} is ${version}, ${fits ? "as" : "but"} the adapter was made for ${range}`;
  return { fits, description, action: fits ? null : OTHER_VERSION };
}

const OTHER_VERSION =
  "It still runs, but prompts that look different are only shown at the terminal. Look for a newer AtlasBridge.";

export async function checkPrograms(place: AdapterPlace, environment: Environment): Promise<CheckFinding[]> {
  const installed: string[] = [];
  const findings: CheckFinding[] = [];
  const found = listPrograms(place);
  for (const program of found) {
    const check = `program:${program.name}` as const;
    try {
      if (await isInstalled(program, environment)) installed.push(program.name);
      if (program.isOwn) findings.push(passCheck(check, `yours (${program.file})`));
    } catch (error) {
      findings.push(reportError(check, error));
    }
  }
  const usable = found.length - findings.filter(({ state }) => state === "fail").length;
  const names = installed.length > 0 ? installed.join(", ") : "none of their programs";
  return [passCheck("programs", `${usable} usable; installed: ${names}`), ...findings];
}

/** Errors: ATB_ADAPTER_INVALID. */
async function isInstalled({ file }: FoundProgram, environment: Environment): Promise<boolean> {
  const { program } = await loadProgram(file);
  try {
    findProgram(program, { typed: null, environment, cwd: process.cwd() });
    return true;
  } catch (error) {
    if (error instanceof AtlasBridgeError && error.code === "ATB_TOOL_NOT_FOUND") return false;
    throw error;
  }
}

export function checkBundles(paths: Pick<Paths, "bundlesDir" | "config">): CheckFinding[] {
  return inspectBundles(paths).map(judgeBundle);
}

function judgeBundle({ name, version, signer, adapters, isUsable, problem }: InspectedBundle): CheckFinding {
  const check = `bundle:${name}` as const;
  const rollBack = `atlasbridge adapter update --rollback ${name}`;
  if (problem !== null)
    return warnCheck(check, `version ${version}: ${problem}`, `Install it again, or go back: ${rollBack}`);
  if (!isUsable)
    return warnCheck(
      check,
      `version ${version} was made for other versions of AtlasBridge; its adapters are not used`,
      `Install a later one, or remove it: ${rollBack}`,
    );
  return passCheck(check, `version ${version}, signed by ${signer}: ${adapters.join(", ")}`);
}

const NAME_MAX = 40;
const TO_DO =
  "Set capture.disagreements to true: such dialogs are then kept, scrubbed, as drafts of scenarios (docs/how-to/record-a-scenario.md).";

/** Only readings by the current adapter files. */
export function checkReadings(
  readings: readonly LoggedReading[],
  adapters: readonly Pick<AdapterFacts, "name" | "adapter">[],
): CheckFinding[] {
  return adapters.flatMap(({ name, adapter }) => {
    const own = readings.filter(
      ({ tool, adapter: version }) => tool === name && version === adapter?.version,
    );
    return own.length > 0 ? [judgeReadings(name, own)] : [];
  });
}

function judgeReadings(tool: string, readings: readonly LoggedReading[]): CheckFinding {
  const check = `reading:${tool}` as const;
  const differing = readings.filter(({ differences }) => differences.length > 0);
  const told = `${readings.length - differing.length} of ${readings.length} dialogs were read as the tool's own requests say`;
  const last = differing.at(-1);
  if (!last) return passCheck(check, told);
  const when = makePrintable(last.at.slice(0, 10), NAME_MAX);
  return warnCheck(check, `${told}; ${countKinds(differing)}; the last on ${when}`, TO_DO);
}

function countKinds(readings: readonly LoggedReading[]): string {
  const counts = new Map<string, number>();
  for (const kind of readings.flatMap(({ differences }) => differences))
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => `${makePrintable(kind, NAME_MAX)} ${count}`).join(", ");
}
