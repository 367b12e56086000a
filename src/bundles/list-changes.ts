/** Compares a checked bundle with the adapters that are used now, and refuses what would be used by nobody. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Paths } from "../config/paths.js";
import { AtlasBridgeError } from "../model/errors.js";
import { isNewer } from "../model/data/version.js";
import {
  findAdapterSources,
  getPackagePlace,
  readAdapterFile,
  type AdapterOrigin,
  type AdapterSource,
} from "../plugins/adapters/adapters.js";
import {
  fitsProgram,
  readAdapterVersion,
  type InstalledState,
} from "../plugins/adapters/installed-bundles.js";
import { compileAdapter } from "../worker/adapter-format/compiled/compile-rules.js";
import type { OpenedBundle } from "./bundle-file.js";
import type { BundledAdapter, CheckedBundle } from "./check-bundle.js";
import { compareAdapters, type AdapterChange, type ComparedAdapter } from "./compare-bundle.js";

export type UpdatePaths = Pick<Paths, "adaptersDir" | "bundlesDir" | "config">;

/** Errors: ATB_BUNDLE_UNFIT, ATB_ADAPTER_INVALID. */
export function listChanges(
  { contents, signer }: OpenedBundle,
  { adapters }: CheckedBundle,
  state: InstalledState,
  paths: UpdatePaths,
): readonly AdapterChange[] {
  for (const bundled of adapters) refuseUnused(bundled, contents.name, state);
  const { name, version } = contents;
  const origin = { kind: "bundle", name, version, signer: signer.name } as const;
  const arriving = adapters.map(({ adapter }) => change(adapter.name, { adapter, origin }, paths));
  const gone = listGone(contents, state).map((each) => change(each, findBelow(each), paths));
  return [...arriving, ...gone];
}

function change(name: string, to: ComparedAdapter | null, paths: UpdatePaths): AdapterChange {
  const sources = findAdapterSources(name, paths);
  const own = sources.find(({ origin }) => origin.kind === "own");
  const used = sources.find(({ origin }) => origin.kind !== "own");
  return compareAdapters(name, used ? compile(used) : null, to, own?.file ?? null);
}

function compile({ file, origin }: AdapterSource): ComparedAdapter {
  return { adapter: compileAdapter(readAdapterFile(file), file), origin };
}

/** The adapter that is used once the bundle no longer contains this one. */
function findBelow(name: string): ComparedAdapter | null {
  const file = join(getPackagePlace().adaptersDir, `${name}.yaml`);
  const origin: AdapterOrigin = { kind: "package" };
  return existsSync(file) ? compile({ file, origin }) : null;
}

/** Adapters of the active version that the new one has no more. */
function listGone({ name, adapters }: OpenedBundle["contents"], { bundles }: InstalledState): string[] {
  const active = bundles.find((bundle) => bundle.name === name)?.active.adapters ?? [];
  const kept = new Set(adapters.map((adapter) => adapter.name));
  return active.map((adapter) => adapter.name).filter((each) => !kept.has(each));
}

function refuseUnused({ adapter }: BundledAdapter, bundle: string, { bundles }: InstalledState): void {
  const shipped = readAdapterVersion(join(getPackagePlace().adaptersDir, `${adapter.name}.yaml`));
  if (shipped !== null && !isNewer(adapter.version, shipped))
    throw createUnfitError(
      `${adapter.name} ${adapter.version} is not newer than the package's own, ${shipped}`,
      "Its maker must raise the adapter's version.",
    );
  const other = bundles.find(
    ({ name, active }) => name !== bundle && fitsProgram(active) && hasAdapter(active.adapters, adapter.name),
  );
  if (other)
    throw createUnfitError(
      `${adapter.name} comes from the bundle ${other.name} already`,
      `Roll that back first: atlasbridge adapter update --rollback ${other.name}`,
    );
}

function hasAdapter(adapters: readonly { readonly name: string }[], name: string): boolean {
  return adapters.some((adapter) => adapter.name === name);
}

function createUnfitError(message: string, hint: string): AtlasBridgeError {
  return new AtlasBridgeError("ATB_BUNDLE_UNFIT", message, { hint: `Nothing was installed. ${hint}` });
}
