/** Finds a tool's adapter: the user's own files first, then the package's. */
import { isUtf8 } from "node:buffer";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { findNearest } from "../../model/data/nearest.js";
import type { Paths } from "../../config/paths.js";
import { AtlasBridgeError } from "../../model/errors.js";
import type { CompiledAdapter } from "../../worker/adapter-format/compiled/compiled.js";
import { addAdapterCode } from "./adapter-code.js";
import { compileText } from "./compiled-adapters.js";
import { findPackageRoot } from "../../observe/package-root.js";

/** The adapter for every executable without its own. */
export const GENERIC_ADAPTER = "generic";
const ENDING = ".yaml";

export interface AdapterPlace {
  readonly adaptersDir: Paths["adaptersDir"];
}

/** Folders with adapter files, highest priority first. */
function listFolders({ adaptersDir }: AdapterPlace): string[] {
  return [adaptersDir, getPackagePlace().adaptersDir];
}

/** Only the package's adapters, without the user's. */
export function getPackagePlace(): AdapterPlace {
  return { adaptersDir: join(findPackageRoot(), "adapters") };
}

/** Names of all adapters, sorted. Errors: ATB_ADAPTER_INVALID if a folder cannot be read. */
export function listAdapterNames(place: AdapterPlace): string[] {
  const files = listFolders(place)
    .filter(existsSync)
    .flatMap((folder) => readOrThrow(folder, () => readdirSync(folder)));
  return [
    ...new Set(files.filter((file) => file.endsWith(ENDING)).map((file) => file.slice(0, -ENDING.length))),
  ].sort();
}

/** The path of the adapter with that name, or null. */
export function findAdapterFile(name: string, place: AdapterPlace): string | null {
  if (name !== basename(name)) return null;
  return (
    listFolders(place)
      .map((folder) => join(folder, name + ENDING))
      .find(existsSync) ?? null
  );
}

/** Errors: ATB_ADAPTER_UNKNOWN. */
export function requireAdapterFile(name: string, place: AdapterPlace): string {
  const file = findAdapterFile(name, place);
  if (file === null) throw createUnknownError(name, place);
  return file;
}

/** Empty if there is none or it cannot be read. */
function readTextIfAny(name: string, place: AdapterPlace): string {
  const file = findAdapterFile(name, place);
  try {
    return file ? readFileSync(file, "utf8") : "";
  } catch {
    return "";
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
  return addAdapterCode(adapter);
}

/** Like `loadAdapter`, but compiles each adapter only once. */
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

/** Whether the adapter is made for this executable; otherwise the user chose the adapter explicitly. */
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

/** The adapter for this executable, by name or alias; otherwise the generic one. Errors: ATB_ADAPTER_INVALID. */
export async function findAdapter(executable: string, place: AdapterPlace): Promise<CompiledAdapter> {
  const name = basename(executable);
  const names = listAdapterNames(place);
  if (names.includes(name)) return loadAdapter(name, place);
  // Only files that contain the word are compiled: a run must start fast, and another tool's broken file must not matter.
  const likely = names.filter(
    (other) => other !== GENERIC_ADAPTER && holdsWord(readTextIfAny(other, place), name),
  );
  const adapters = await Promise.all(likely.map((other) => loadAdapter(other, place)));
  const knowing = adapters.find((adapter) => isAdapterTool(adapter, executable));
  return knowing ?? loadAdapter(GENERIC_ADAPTER, place);
}
