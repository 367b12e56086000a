/** The installed bundles. A new version is written into its own folder; then the file that names the active versions is replaced. */
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { createFileError } from "../config/file-errors.js";
import { ensurePrivateDirectory, PRIVATE_FILE_MODE } from "../config/private-files.js";
import { AtlasBridgeError } from "../model/errors.js";
import {
  getBundleAdapters,
  getStateFile,
  readInstalledState,
  type InstalledState,
  type InstalledVersion,
} from "../plugins/adapters/installed-bundles.js";
import type { BundledAdapter } from "./check-bundle.js";

const DOCUMENT = "bundle.json";
/** An older draft was left by a process that died. */
const DRAFT_MS_MAX = 10_000;

export function readDocument(bundlesDir: string, { folder }: InstalledVersion): string {
  return readFileSync(join(bundlesDir, folder, DOCUMENT), "utf8");
}

/** Errors: ATB_FILE_DENIED, ATB_HUB_UNREACHABLE, ATB_SOCKET_UNSAFE. */
export function writeVersion(
  bundlesDir: string,
  version: InstalledVersion,
  document: string,
  adapters: readonly BundledAdapter[],
): void {
  ensurePrivateDirectory(bundlesDir);
  const place = join(bundlesDir, version.folder);
  try {
    rmSync(place, { recursive: true, force: true });
    const folder = getBundleAdapters(bundlesDir, version);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeDurably(join(place, DOCUMENT), document);
    for (const { adapter, text } of adapters) writeDurably(join(folder, `${adapter.name}.yaml`), text);
  } catch (cause) {
    rmSync(place, { recursive: true, force: true });
    throw createFileError(cause, place, "cannot be written");
  }
}

function writeDurably(file: string, text: string): void {
  const descriptor = openSync(file, "wx", PRIVATE_FILE_MODE);
  try {
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Replaces the state if it is still `expected`, and removes unused folders. Errors: ATB_BUNDLE_UNFIT, ATB_FILE_DENIED,
 * ATB_HUB_UNREACHABLE.
 */
export function replaceState(bundlesDir: string, expected: InstalledState, next: InstalledState): void {
  const file = getStateFile(bundlesDir);
  const draft = `${file}.new`;
  dropOldDraft(draft);
  try {
    // The draft also keeps a second command out.
    writeDurably(draft, `${JSON.stringify(next, null, 2)}\n`);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "EEXIST") throw createRaceError();
    throw createFileError(cause, draft, "cannot be written");
  }
  try {
    if (!isDeepStrictEqual(readInstalledState(bundlesDir), expected)) throw createRaceError();
    renameSync(draft, file);
  } catch (cause) {
    rmSync(draft, { force: true });
    throw createFileError(cause, file, "cannot be replaced");
  }
  removeUnnamed(bundlesDir, next);
}

function dropOldDraft(draft: string): void {
  const written = statSync(draft, { throwIfNoEntry: false })?.mtimeMs;
  if (written !== undefined && Date.now() - written > DRAFT_MS_MAX) rmSync(draft, { force: true });
}

/** Running sessions have their adapters in memory. */
function removeUnnamed(bundlesDir: string, { bundles }: InstalledState): void {
  const named = new Set(
    bundles.flatMap(({ active, earlier }) => [active, ...earlier].map(({ folder }) => folder)),
  );
  for (const entry of readdirSync(bundlesDir, { withFileTypes: true })) {
    if (!entry.isDirectory() || named.has(entry.name)) continue;
    try {
      rmSync(join(bundlesDir, entry.name), { recursive: true, force: true });
    } catch {
      // It is tried again with the next change.
    }
  }
}

function createRaceError(): AtlasBridgeError {
  return new AtlasBridgeError("ATB_BUNDLE_UNFIT", "another command is changing the installed bundles", {
    hint: "Nothing was changed by this one. Try again.",
  });
}
