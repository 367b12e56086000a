/** Finds a tool's adapter: the user's own files first, then installed bundles, then the package's. */
import { isUtf8 } from "node:buffer";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { findNearest } from "../../model/data/nearest.js";
import { isNewer } from "../../model/data/version.js";
import type { Paths } from "../../config/paths.js";
import { AtlasBridgeError } from "../../model/errors.js";
import type { CompiledAdapter, OwnFile } from "../../worker/adapter-format/compiled/compiled.js";
import { compileText } from "./compiled-adapters.js";
import { listUsableBundles, readAdapterVersion, type UsableBundle } from "./installed-bundles.js";
import { findPackageRoot } from "../../observe/package-root.js";
import { adapterCode } from "../../../adapters/index.js";

export const GENERIC_ADAPTER = "generic";
const ENDING = ".yaml";

export interface AdapterPlace {
  readonly adaptersDir: Paths["adaptersDir"];
  readonly bundlesDir?: Paths["bundlesDir"];
}

export type AdapterOrigin =
  | { readonly kind: "own" | "package" }
  | { readonly kind: "bundle"; readonly name: string; readonly version: number; readonly signer: string };

export function formatOrigin(origin: AdapterOrigin): string {
  if (origin.kind === "bundle") return `bundle ${origin.name} ${origin.version} by ${origin.signer}`;
  return origin.kind === "own" ? "yours" : "the package's";
}

export interface AdapterSource {
  readonly origin: AdapterOrigin;
  readonly file: string;
}

/** Only the package's adapters, without the user's. */
export function getPackagePlace(): AdapterPlace {
  return { adaptersDir: join(findPackageRoot(), "adapters") };
}

/** Names of all adapters, sorted. Errors: ATB_ADAPTER_INVALID if a folder cannot be read. */
export function listAdapterNames(place: AdapterPlace): string[] {
  const files = [place.adaptersDir, getPackagePlace().adaptersDir]
    .filter(existsSync)
    .flatMap((folder) => readOrThrow(folder, () => readdirSync(folder)))
    .filter((file) => file.endsWith(ENDING))
    .map((file) => file.slice(0, -ENDING.length));
  const bundled = listUsableBundles(place.bundlesDir).flatMap((bundle) => bundle.adapters);
  return [...new Set([...files, ...bundled.map(({ name }) => name)])].sort();
}

/** All files of the adapter with that name, the one that counts first. Errors: ATB_BUNDLE_INVALID. */
export function findAdapterSources(
  name: string,
  place: AdapterPlace,
  bundles = listUsableBundles(place.bundlesDir),
): readonly AdapterSource[] {
  if (name !== basename(name)) return [];
  const shipped = join(getPackagePlace().adaptersDir, name + ENDING);
  const sources: AdapterSource[] = [
    { origin: { kind: "own" }, file: join(place.adaptersDir, name + ENDING) },
    ...findBundledSources(name, bundles, shipped),
    { origin: { kind: "package" }, file: shipped },
  ];
  return sources.filter(({ file }) => existsSync(file));
}

/** Only while its file is newer than the package's own. */
function findBundledSources(
  name: string,
  bundles: readonly UsableBundle[],
  shipped: string,
): AdapterSource[] {
  return bundles.flatMap(({ adapters, folder, name: bundle, version, key }) => {
    const adapter = adapters.find((each) => each.name === name);
    if (!adapter) return [];
    const shippedVersion = readAdapterVersion(shipped);
    if (shippedVersion !== null && !isNewer(adapter.version, shippedVersion)) return [];
    const origin = { kind: "bundle", name: bundle, version, signer: key.name } as const;
    return [{ origin, file: join(folder, name + ENDING) }];
  });
}

/** Errors: ATB_ADAPTER_UNKNOWN. */
export function requireAdapterFile(name: string, place: AdapterPlace): string {
  const file = findAdapterSources(name, place)[0]?.file;
  if (file === undefined) throw createUnknownError(name, place);
  return file;
}

/** False if the file cannot be read. */
function mentions(file: string | undefined, word: string): boolean {
  try {
    const bytes = file === undefined ? null : readFileSync(file);
    // Decoding every file would cost some milliseconds at each start.
    return bytes?.includes(word) === true && holdsWord(bytes.toString(), word);
  } catch {
    return false;
  }
}

function readOrThrow<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const { code = "" } = cause as NodeJS.ErrnoException;
    const hint = "Check that the folder and its files are readable.";
    throw new AtlasBridgeError("ATB_ADAPTER_INVALID", `${path} cannot be read (${code})`, { hint, cause });
  }
}

/** The file's text. Errors: ATB_ADAPTER_INVALID. */
export function readAdapterFile(file: string): string {
  const bytes = readOrThrow(file, () => readFileSync(file));
  if (isUtf8(bytes)) return bytes.toString();
  throw new AtlasBridgeError("ATB_ADAPTER_INVALID", `${file} is not UTF-8 text`, {
    hint: "Save it as UTF-8.",
  });
}

/** Leaves out broken adapter files, which `adapter list` and doctor report. */
export async function loadReadableAdapters(place: AdapterPlace): Promise<readonly CompiledAdapter[]> {
  const names = listAdapterNames(place);
  const adapters = await Promise.all(names.map((name) => loadAdapter(name, place).catch(() => null)));
  return adapters.filter((adapter) => adapter !== null);
}

/** Errors: ATB_ADAPTER_UNKNOWN, ATB_ADAPTER_INVALID. */
export async function loadAdapter(name: string, place: AdapterPlace): Promise<CompiledAdapter> {
  const file = requireAdapterFile(name, place);
  const text = readAdapterFile(file);
  const adapter = await compileText(text, file);
  if (adapter.name !== name) {
    throw new AtlasBridgeError(
      "ATB_ADAPTER_INVALID",
      `${file}: its name is "${adapter.name}", not "${name}"`,
      {
        hint: "The file must have the adapter's name.",
      },
    );
  }
  const loaded = addAdapterCode(await addPlainRules(adapter));
  const isOwn = dirname(file) === place.adaptersDir && dirname(file) !== getPackagePlace().adaptersDir;
  return isOwn ? { ...loaded, own: describeOwn(adapter, file, text) } : loaded;
}

function describeOwn({ name, process, headless, acp }: CompiledAdapter, file: string, text: string): OwnFile {
  const executables = [...process.executables, ...(headless?.executables ?? [])];
  const programs = new Set(executables.length > 0 ? executables : [name]);
  if (acp) programs.add(acp.command.join(" "));
  return { file, text, programs: [...programs], env: process.env };
}

/** From the package, because the user's generic adapter may be broken. */
async function addPlainRules(adapter: CompiledAdapter): Promise<CompiledAdapter> {
  if (adapter.unread !== "screen") return adapter;
  const { rules, passivePrograms, noMenus } = await loadAdapter(GENERIC_ADAPTER, getPackagePlace());
  return { ...adapter, plain: { rules, passivePrograms, noMenus } };
}

export function createAdapterLoader(place: AdapterPlace): (name: string) => Promise<CompiledAdapter> {
  const loaded = new Map<string, Promise<CompiledAdapter>>();
  return (name) => {
    const adapter = loaded.get(name) ?? loadAdapter(name, place);
    loaded.set(name, adapter);
    return adapter;
  };
}

function createUnknownError(name: string, place: AdapterPlace): AtlasBridgeError {
  const names = listAdapterNames(place);
  const meant = findNearest(name, names);
  return new AtlasBridgeError("ATB_ADAPTER_UNKNOWN", `no adapter is named "${name}"`, {
    hint: meant ? `Did you mean "${meant}"?` : `Available: ${names.join(", ")}.`,
  });
}

/** False if the user chose the adapter explicitly. */
export function isAdapterTool({ name, aliases, process }: CompiledAdapter, executable: string): boolean {
  return [name, ...aliases, ...process.executables].includes(basename(executable));
}

/** Matches whole words: `sh` does not match `shell`. */
function holdsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const around = (text[at - 1] ?? "") + (text[at + word.length] ?? "");
    if (!/[\w-]/.test(around)) return true;
  }
  return false;
}

/** Finds it by name or alias, otherwise the generic one. Errors: ATB_ADAPTER_INVALID. */
export async function findAdapter(executable: string, place: AdapterPlace): Promise<CompiledAdapter> {
  const name = basename(executable);
  const names = listAdapterNames(place);
  if (names.includes(name)) return loadAdapter(name, place);
  const bundles = listUsableBundles(place.bundlesDir);
  const { adaptersDir: shipped } = getPackagePlace();
  // Usually there are none, and looking for files takes time.
  const hasOthers = bundles.length > 0 || existsSync(place.adaptersDir);
  const locate = (other: string): string | undefined =>
    hasOthers ? findAdapterSources(other, place, bundles)[0]?.file : join(shipped, other + ENDING);
  // Only files with the word are compiled, because a run must start fast and other files may be broken.
  const likely = names.filter((other) => other !== GENERIC_ADAPTER && mentions(locate(other), name));
  const adapters = await Promise.all(likely.map((other) => loadAdapter(other, place)));
  const knowing = adapters.find((adapter) => isAdapterTool(adapter, executable));
  return knowing ?? loadAdapter(GENERIC_ADAPTER, place);
}

/** The code belongs to the name, so a user's copy of the file keeps it. */
export function addAdapterCode(adapter: CompiledAdapter): CompiledAdapter {
  const code = adapterCode.get(adapter.name);
  return code ? { ...adapter, code } : adapter;
}
