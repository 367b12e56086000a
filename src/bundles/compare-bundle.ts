/** Compares the adapters of a bundle with those in use. */
import { isDeepStrictEqual } from "node:util";
import {
  type AdapterOrigin,
  findAdapterSources,
  getPackagePlace,
  readAdapterFile,
  type AdapterSource,
} from "../plugins/adapters/adapters.js";
import type { CompiledAdapter } from "../worker/adapter-format/compiled/compiled.js";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Paths } from "../config/paths.js";
import { AtlasBridgeError } from "../model/errors.js";
import { isNewer } from "../model/data/version.js";
import {
  fitsProgram,
  readAdapterVersion,
  type InstalledState,
} from "../plugins/adapters/installed-bundles.js";
import { compileAdapter } from "../worker/adapter-format/compiled/compile-rules.js";
import type { OpenedBundle } from "./bundle-file.js";
import type { BundledAdapter, CheckedBundle } from "./check-bundle.js";

/** They decide which program is started, and who it takes orders from. */
const START_PARTS = [
  "process",
  "aliases",
  "asking",
  "hooks",
  "coattach",
  "acp",
  "headless",
  "signals",
] as const;
const COMPARED_BY_ITSELF = new Set<string>(["name", "version", "description", "rules", "code"]);

export interface AdapterChange {
  readonly name: string;
  /** Null: a new adapter. */
  readonly from: { readonly version: string; readonly origin: AdapterOrigin } | null;
  /** Null: the adapter is removed. */
  readonly to: { readonly version: string; readonly origin: AdapterOrigin } | null;
  readonly rules: {
    readonly added: readonly string[];
    readonly removed: readonly string[];
    readonly changed: readonly string[];
  };
  readonly parts: readonly string[];
  readonly starts: readonly string[];
  readonly hiddenBy: string | null;
}

export interface ComparedAdapter {
  readonly adapter: CompiledAdapter;
  readonly origin: AdapterOrigin;
}

export function compareAdapters(
  name: string,
  from: ComparedAdapter | null,
  to: ComparedAdapter | null,
  hiddenBy: string | null,
): AdapterChange {
  const parts = to === null ? [] : listChangedParts(from?.adapter ?? null, to.adapter);
  return {
    name,
    from: from && { version: from.adapter.version, origin: from.origin },
    to: to && { version: to.adapter.version, origin: to.origin },
    rules: compareRules(from?.adapter ?? null, to?.adapter ?? null),
    parts,
    starts: START_PARTS.filter((part) => parts.includes(part)),
    hiddenBy,
  };
}

function compareRules(from: CompiledAdapter | null, to: CompiledAdapter | null): AdapterChange["rules"] {
  const before = new Map(from?.rules.map((rule) => [rule.name, rule]));
  const after = new Map(to?.rules.map((rule) => [rule.name, rule]));
  const names = [...after.keys()];
  return {
    added: names.filter((name) => !before.has(name)),
    removed: [...before.keys()].filter((name) => !after.has(name)),
    changed: names.filter(
      (name) => before.has(name) && !isDeepStrictEqual(before.get(name), after.get(name)),
    ),
  };
}

function listChangedParts(from: CompiledAdapter | null, to: CompiledAdapter): string[] {
  const before: Readonly<Record<string, unknown>> = { ...(from ?? PLAIN) };
  return Object.entries(to)
    .filter(([part]) => !COMPARED_BY_ITSELF.has(part) && (from !== null || part in PLAIN))
    .filter(([part, value]) => !isDeepStrictEqual(before[part], value))
    .map(([part]) => part)
    .concat(from === null && !isPlainProcess(to) ? ["process"] : []);
}

/** A new adapter is compared with one that only starts a program by its name. */
const PLAIN = {
  aliases: [],
  signals: { programStatus: null },
  asking: null,
  hooks: null,
  coattach: null,
  acp: null,
  headless: null,
} as const;

function isPlainProcess({ process }: CompiledAdapter): boolean {
  return (
    Object.keys(process.env).length === 0 && process.executables.every((command) => !command.includes("/"))
  );
}

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

/** The adapter that replaces a removed one. */
function findBelow(name: string): ComparedAdapter | null {
  const file = join(getPackagePlace().adaptersDir, `${name}.yaml`);
  const origin: AdapterOrigin = { kind: "package" };
  return existsSync(file) ? compile({ file, origin }) : null;
}

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
    ({ name, active }) =>
      name !== bundle && fitsProgram(active) && active.adapters.some((each) => each.name === adapter.name),
  );
  if (other)
    throw createUnfitError(
      `${adapter.name} comes from the bundle ${other.name} already`,
      `Roll that back first: atlasbridge adapter update --rollback ${other.name}`,
    );
}

export function createUnfitError(message: string, hint: string): AtlasBridgeError {
  return new AtlasBridgeError("ATB_BUNDLE_UNFIT", message, { hint: `Nothing was installed. ${hint}` });
}
