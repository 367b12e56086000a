/** `adapter update`: installs a checked bundle, or rolls back. */
import { createHash } from "node:crypto";
import type { AdapterCheck } from "../../prompt-lab/check/check-adapter.js";
import { type Paths, resolvePaths } from "../config/paths.js";
import { AtlasBridgeError } from "../model/errors.js";
import { getProgramVersion } from "../observe/package-root.js";
import { findAdapterSources, type AdapterOrigin } from "../plugins/adapters/adapters.js";
import {
  fitsProgram,
  readInstalledState,
  type InstalledBundle,
  type InstalledState,
  type InstalledVersion,
} from "../plugins/adapters/installed-bundles.js";
import { openBundle, type OpenedBundle } from "./bundle-file.js";
import { replaceState, writeVersion } from "./bundle-store.js";
import { checkBundle, type CheckedBundle } from "./check-bundle.js";
import { createUnfitError, listChanges, type AdapterChange, type UpdatePaths } from "./compare-bundle.js";
import { findProblem, readBundleText } from "./read-bundle.js";
import { getShippedKeyFile, loadTrustedKeys } from "./signing.js";
import { SESSION_MARK } from "../model/session-mark.js";

/** Versions that a rollback can go back to. */
const EARLIER_MAX = 5;

export interface UpdateOptions {
  readonly from: string;
  readonly dryRun: boolean;
  readonly allowOlder: boolean;
  readonly acceptStarts: boolean;
}

export interface UpdateResult {
  /** `unchanged`: this bundle is active already and intact. */
  readonly outcome: "installed" | "checked" | "unchanged";
  readonly bundle: string;
  readonly version: number;
  readonly signer: { readonly name: string; readonly id: string };
  readonly before: { readonly version: number; readonly signer: string } | null;
  readonly changes: readonly AdapterChange[];
  readonly checks: readonly AdapterCheck[];
}

/**
 * `shipped`: the file with the package's keys. Errors: ATB_BUNDLE_*, ATB_CONFIG_INVALID, ATB_USAGE, ATB_FILE_DENIED, ATB_HUB_UNREACHABLE,
 * ATB_SOCKET_UNSAFE.
 */
export async function updateAdapters(
  options: UpdateOptions,
  paths: UpdatePaths,
  shipped = getShippedKeyFile(),
): Promise<UpdateResult> {
  const trusted = loadTrustedKeys({ shipped, config: paths.config });
  const text = await readBundleText(options.from);
  const opened = openBundle(text, options.from, trusted);
  const state = readInstalledState(paths.bundlesDir);
  const version = describeVersion(opened, text);
  const installed = state.bundles.find(({ name }) => name === opened.contents.name);
  const result = describeResult(opened, installed);
  const isSame = installed?.active.sha256 === version.sha256;
  if (isSame && findProblem(installed, paths.bundlesDir, trusted) === null)
    return { ...result, outcome: "unchanged", changes: [], checks: [] };
  // A damaged bundle may be installed again: `doctor` advises this.
  refuseVersion(opened, isSame ? undefined : installed, options);
  const checked = await checkBundle(opened.contents, options.from);
  const complete = {
    ...version,
    adapters: checked.adapters.map(({ adapter: { name, version } }) => ({ name, version })),
  };
  const changes = listChanges(opened, checked, state, paths);
  refuseStarts(changes, options);
  if (!options.dryRun)
    install({ state, installed, complete, text, checked, name: opened.contents.name }, paths);
  return { ...result, outcome: options.dryRun ? "checked" : "installed", changes, checks: checked.checks };
}

function describeResult({ contents, signer }: OpenedBundle, installed: InstalledBundle | undefined) {
  const { name: bundle, version } = contents;
  const before = installed ? { version: installed.active.version, signer: installed.active.key.name } : null;
  return { bundle, version, signer: { name: signer.name, id: signer.id }, before };
}

/** The adapters' own versions are added after compiling. */
function describeVersion(
  { contents, signer }: OpenedBundle,
  text: string,
): Omit<InstalledVersion, "adapters"> {
  const { name, version, program } = contents;
  const sha256 = createHash("sha256").update(text).digest("hex");
  const folder = `${name}-${version}-${sha256.slice(0, 12)}`;
  return { version, key: { name: signer.name, id: signer.id }, program, sha256, folder };
}

function refuseVersion(
  { contents }: OpenedBundle,
  installed: InstalledBundle | undefined,
  { allowOlder }: UpdateOptions,
): void {
  const { name, version, program } = contents;
  if (!fitsProgram(contents))
    throw createUnfitError(
      `${name} ${version} is for AtlasBridge ${program.from} and later, before ${program.before}; this is ${getProgramVersion()}`,
      "Get a version of the bundle that was made for this program, or update AtlasBridge.",
    );
  if (!installed) return;
  const { active } = installed;
  if (version === active.version)
    throw createUnfitError(
      `${name} ${version} is installed already, with other contents`,
      "A version is used once. Ask its maker which of the two is right.",
    );
  if (version < active.version && !allowOlder)
    throw createUnfitError(
      `${name} ${version} is older than the installed version ${active.version}`,
      "To install it nevertheless: --allow-older. To go back one version: adapter update --rollback.",
    );
}

function refuseStarts(changes: readonly AdapterChange[], { acceptStarts, dryRun }: UpdateOptions): void {
  const starting = changes.filter(({ starts }) => starts.length > 0);
  if (starting.length === 0 || acceptStarts || dryRun) return;
  const told = starting.map(({ name, starts }) => `${name} (${starts.join(", ")})`).join("; ");
  throw createUnfitError(
    `the bundle changes how tools are started: ${told}`,
    "Look at it with --dry-run. If you agree: --accept-starts.",
  );
}

interface Installation {
  readonly name: string;
  readonly state: InstalledState;
  readonly installed: InstalledBundle | undefined;
  readonly complete: InstalledVersion;
  readonly text: string;
  readonly checked: CheckedBundle;
}

function install(
  { name, state, installed, complete, text, checked }: Installation,
  { bundlesDir }: UpdatePaths,
): void {
  const before = installed ? [...installed.earlier, installed.active] : [];
  // A reinstalled version has the same folder, so it is no longer an earlier one.
  const earlier = before.filter(({ folder }) => folder !== complete.folder).slice(-EARLIER_MAX);
  writeVersion(bundlesDir, complete, text, checked.adapters);
  const others = state.bundles.filter((bundle) => bundle.name !== name);
  replaceState(bundlesDir, state, { ...state, bundles: [...others, { name, active: complete, earlier }] });
}

export interface RollbackResult {
  readonly bundle: string;
  readonly from: number;
  /** Null: the bundle is gone. */
  readonly to: number | null;
  /** Adapters that the bundle no longer provides, and what replaces each. */
  readonly gone: readonly { readonly name: string; readonly instead: AdapterOrigin | null }[];
  readonly isUsable: boolean;
  /** Why the active version is not what a trusted key signed; null if it is, or the bundle is gone. */
  readonly problem: string | null;
}

/** `name`: null if there is only one bundle. Errors: ATB_USAGE, ATB_BUNDLE_INVALID, ATB_BUNDLE_UNFIT, those of the files. */
export function rollBack(
  name: string | null,
  { adaptersDir, bundlesDir, config }: UpdatePaths,
  shipped = getShippedKeyFile(),
): RollbackResult {
  const state = readInstalledState(bundlesDir);
  const bundle = chooseBundle(name, state);
  const to = bundle.earlier.at(-1);
  const others = state.bundles.filter((each) => each !== bundle);
  const rolledBack = to ? [{ name: bundle.name, active: to, earlier: bundle.earlier.slice(0, -1) }] : [];
  replaceState(bundlesDir, state, { ...state, bundles: [...others, ...rolledBack] });
  const isUsable = to === undefined || fitsProgram(to);
  const problem =
    to === undefined ? null : findVersionProblem(bundle.name, to, { bundlesDir, config }, shipped);
  const { version: from, adapters } = bundle.active;
  const kept = new Set(isUsable ? to?.adapters.map((adapter) => adapter.name) : []);
  const gone = adapters
    .filter((adapter) => !kept.has(adapter.name))
    .map((adapter) => ({
      name: adapter.name,
      instead: findAdapterSources(adapter.name, { adaptersDir, bundlesDir })[0]?.origin ?? null,
    }));
  return { bundle: bundle.name, from, to: to?.version ?? null, gone, isUsable, problem };
}

/** The way back must not depend on a configuration that can be read. */
function findVersionProblem(
  name: string,
  active: InstalledVersion,
  { bundlesDir, config }: Pick<Paths, "bundlesDir" | "config">,
  shipped: string,
): string | null {
  try {
    return findProblem({ name, active }, bundlesDir, loadTrustedKeys({ shipped, config }));
  } catch (error) {
    if (error instanceof AtlasBridgeError) return error.message;
    throw error;
  }
}

function chooseBundle(name: string | null, { bundles }: InstalledState): InstalledBundle {
  const names = bundles.map((bundle) => bundle.name).join(", ");
  const [only] = bundles;
  if (!only)
    throw new AtlasBridgeError("ATB_USAGE", "no bundle is installed", {
      hint: "There is nothing to roll back.",
    });
  if (name === null && bundles.length === 1) return only;
  const chosen = bundles.find((bundle) => bundle.name === name);
  if (chosen) return chosen;
  const found = name === null ? "several bundles are installed" : `no bundle is named "${name}"`;
  throw new AtlasBridgeError("ATB_USAGE", found, { hint: `Name one of: ${names}.` });
}

/** Errors: ATB_SUPERVISED, and as `updateAdapters`. */
export function installFrom(options: UpdateOptions): Promise<UpdateResult> {
  if (!options.dryRun) refuseInsideSession();
  return updateAdapters(options, resolvePaths());
}

/** Errors: ATB_SUPERVISED, and as `rollBack`. */
export function goBackTo(name: string | null): RollbackResult {
  refuseInsideSession();
  return rollBack(name, resolvePaths());
}

/** A supervised tool must not choose by which rules it is watched. */
function refuseInsideSession(): void {
  if (!process.env[SESSION_MARK]) return;
  throw new AtlasBridgeError("ATB_SUPERVISED", "adapters cannot be replaced from inside a session", {
    hint: "Use a terminal outside of any session.",
  });
}
