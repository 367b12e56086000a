/** The installed bundles of adapters. One file names the active versions, so that it installs and rolls back in one step. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "../../model/data/json.js";
import { isNewer } from "../../model/data/version.js";
import { AtlasBridgeError, assertInvariant } from "../../model/errors.js";
import { getProgramVersion } from "../../observe/package-root.js";

const STATE_FILE = "installed.json";

export interface InstalledVersion {
  readonly version: number;
  /** The key of the checked signature. */
  readonly key: { readonly name: string; readonly id: string };
  /** The program's versions that it fits. */
  readonly program: { readonly from: string; readonly before: string };
  /** Digest of the signed document. */
  readonly sha256: string;
  readonly folder: string;
  readonly adapters: readonly { readonly name: string; readonly version: string }[];
}

export interface InstalledBundle {
  readonly name: string;
  readonly active: InstalledVersion;
  /** Earlier versions for a rollback, the latest last. */
  readonly earlier: readonly InstalledVersion[];
}

export interface InstalledState {
  readonly schema: 1;
  readonly bundles: readonly InstalledBundle[];
}

export interface UsableBundle extends Omit<InstalledVersion, "folder"> {
  readonly name: string;
  /** Absolute path of its adapter files. */
  readonly folder: string;
}

export function getStateFile(bundlesDir: string): string {
  return join(bundlesDir, STATE_FILE);
}

export function getBundleAdapters(bundlesDir: string, { folder }: Pick<InstalledVersion, "folder">): string {
  return join(bundlesDir, folder, "adapters");
}

/** Without the file no bundle is installed. Errors: ATB_BUNDLE_INVALID. */
export function readInstalledState(bundlesDir: string): InstalledState {
  const file = getStateFile(bundlesDir);
  try {
    const state: unknown = JSON.parse(readFileSync(file, "utf8"));
    assertInvariant(isState(state), "we write it otherwise");
    return state;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return { schema: 1, bundles: [] };
    throw new AtlasBridgeError("ATB_BUNDLE_INVALID", `${file} cannot be read`, {
      hint: "Delete it to use the package's adapters, then install your bundles again: `atlasbridge adapter update --from …`",
      cause,
    });
  }
}

/** Without a schema, because this runs before every tool's start. */
function isState(value: unknown): value is InstalledState {
  return (
    isObject(value) && value.schema === 1 && Array.isArray(value.bundles) && value.bundles.every(isBundle)
  );
}

function isBundle(value: unknown): value is InstalledBundle {
  if (!isObject(value) || typeof value.name !== "string" || !Array.isArray(value.earlier)) return false;
  return isVersion(value.active) && value.earlier.every(isVersion);
}

const FOLDER = /^[a-z0-9_-]{1,80}$/;

function isVersion(value: unknown): value is InstalledVersion {
  if (!isObject(value) || typeof value.version !== "number" || typeof value.sha256 !== "string") return false;
  const { folder, key, program, adapters } = value;
  const isNamed = typeof folder === "string" && FOLDER.test(folder);
  const isSigned = holdsTexts(key, "name", "id") && holdsTexts(program, "from", "before");
  return (
    isNamed &&
    isSigned &&
    Array.isArray(adapters) &&
    adapters.every((each) => holdsTexts(each, "name", "version"))
  );
}

function holdsTexts(value: unknown, ...keys: readonly string[]): boolean {
  return isObject(value) && keys.every((key) => typeof value[key] === "string");
}

export function fitsProgram({ program: { from, before } }: Pick<InstalledVersion, "program">): boolean {
  const own = getProgramVersion();
  return !isNewer(from, own) && isNewer(before, own);
}

/** Errors: ATB_BUNDLE_INVALID. */
export function listUsableBundles(bundlesDir: string | undefined): readonly UsableBundle[] {
  if (bundlesDir === undefined) return [];
  return readInstalledState(bundlesDir)
    .bundles.filter(({ active }) => fitsProgram(active))
    .map(({ name, active }) => ({ ...active, name, folder: getBundleAdapters(bundlesDir, active) }));
}

const VERSION_LINE = /^version: *["']?(\d{1,9}\.\d{1,9}\.\d{1,9})["']? *(?:#.*)?$/m;

/** Reads the version without parsing the file, because this is part of every start. Null if there is none. */
export function readAdapterVersion(file: string): string | null {
  try {
    return VERSION_LINE.exec(readFileSync(file, "utf8"))?.[1] ?? null;
  } catch {
    return null;
  }
}
