/** Checks whether every adapter file is usable, and whether the installed tools have the versions that the files were made for. */
import { dirname } from "node:path";
import { isInRange } from "../model/data/version-range.js";
import type { Environment } from "../worker/process/child-environment.js";
import type { CompiledAdapter } from "../worker/adapter-format/compiled/compiled.js";
import {
  findAdapterFile,
  listAdapterNames,
  loadAdapter,
  type AdapterPlace,
} from "../plugins/adapters/adapters.js";
import { detectToolVersion, type ToolVersion } from "../worker/runtimes/tool-version/tool-version.js";
import { reportError, passCheck, warnCheck, type CheckFinding } from "./check.js";

export interface AdapterFacts {
  readonly name: string;
  readonly file: string;
  /** From the user's own folder. */
  readonly isOwn: boolean;
  readonly adapter: CompiledAdapter | null;
  /** Why there is no adapter. */
  readonly error: unknown;
  /** Null if the file is not limited to certain versions; the tool is then not asked for its version. */
  readonly installed: ToolVersion | null;
}

export function readAdapters(place: AdapterPlace, environment: Environment): Promise<AdapterFacts[]> {
  return Promise.all(listAdapterNames(place).map((name) => readAdapter(name, place, environment)));
}

async function readAdapter(name: string, place: AdapterPlace, env: Environment): Promise<AdapterFacts> {
  const file = findAdapterFile(name, place) ?? name;
  const known = { name, file, isOwn: dirname(file) === place.adaptersDir };
  try {
    const adapter = await loadAdapter(name, place);
    const installed = adapter.supportedVersions === null ? null : await detectToolVersion(adapter, env);
    return { ...known, adapter, error: null, installed };
  } catch (error) {
    return { ...known, adapter: null, error, installed: null };
  }
}

export function checkAdapters(facts: readonly AdapterFacts[]): CheckFinding[] {
  const usable = facts.filter(({ adapter }) => adapter !== null).map(({ name }) => name);
  return [
    passCheck("adapters", `${usable.length} usable: ${usable.join(", ")}`),
    ...facts.flatMap(checkAdapter),
  ];
}

/** The package's adapters without a specific tool need no line of their own. */
function checkAdapter(facts: AdapterFacts): CheckFinding[] {
  const { file, isOwn, adapter, error, installed } = facts;
  const name = `adapter:${facts.name}` as const;
  if (!adapter) return [reportError(name, error)];
  const where = isOwn ? [`yours (${file})`] : [];
  if (!installed) return isOwn ? [passCheck(name, where.join(""))] : [];
  const { fits, told, action } = judgeVersion(adapter, installed);
  const found = [told, ...where].join("; ");
  return [fits ? passCheck(name, found) : warnCheck(name, found, action)];
}

interface VersionJudgement {
  readonly fits: boolean;
  readonly told: string;
  readonly action: string | null;
}

function judgeVersion(
  { name, supportedVersions, headless }: CompiledAdapter,
  installed: ToolVersion,
): VersionJudgement {
  const range = supportedVersions ?? "";
  switch (installed.kind) {
    case "absent":
      return { fits: true, told: `${name} is not installed`, action: null };
    case "unknown":
      return { fits: false, told: `${installed.file} --version names no version`, action: OTHER_VERSION };
    case "installed": {
      const { version, file } = installed;
      if (isTooOld(version, headless?.minVersion ?? null))
        return describeTooOld(file, version, headless?.minVersion ?? "");
      const fits = isInRange(version, range);
      const told = `${file} is ${version}, ${fits ? "as" : "but"} the adapter was made for ${range}`;
      return { fits, told, action: fits ? null : OTHER_VERSION };
    }
  }
}

function isTooOld(version: string, min: string | null): boolean {
  return min !== null && !isInRange(version, `>=${min}`);
}

function describeTooOld(file: string, version: string, min: string): VersionJudgement {
  const told = `${file} is ${version}, too old to run headless (requires ${min} or newer)`;
  return { fits: false, told, action: `Update it before \`atlasbridge exec\`. ${OTHER_VERSION}` };
}

const OTHER_VERSION =
  "It still runs; prompts that look different are only shown at the terminal. Look for a newer AtlasBridge.";
