/**
 * Files of one run in the runtime directory: private, removed with the run, and cleaned up later if it was killed. A file that the tool may
 * mention in its last output is kept with the user's own settings, so that the printed command still works.
 */
import {
  chmodSync,
  lstatSync,
  readdirSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
  type Stats,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Paths } from "../../config/paths.js";
import { ensurePrivateDirectory, PRIVATE_FILE_MODE } from "../../config/private-files.js";
import { isProcessAlive } from "../../observe/process-life.js";
import { systemClock } from "../../observe/clock.js";
import { systemRandom } from "../../observe/random.js";
import type { NamedFile } from "../../worker/integrations/hooks/settings-place.js";

const NAME = /^run-([0-9]{1,10})-[a-z0-9]{8}\.json$/;
/** Marks a file that was handed back; a writable one belongs to a run that is active or was killed. */
const GIVEN_BACK_MODE = 0o400;
const WRITABLE = 0o200;
/** People type a printed command again within days. */
const KEPT_MS = 30 * 24 * 3600 * 1000;
/** Limit for scripts that run tools in a loop. */
const KEPT_MAX = 200;

export function writeRunFile(paths: Paths, content: object): string {
  const directory = dirname(paths.socket);
  ensurePrivateDirectory(directory);
  removeLeftovers(directory);
  const file = join(directory, `run-${process.pid}-${systemRandom.short(8)}.json`);
  writeFileSync(file, JSON.stringify(content), { mode: PRIVATE_FILE_MODE, flag: "wx" });
  return file;
}

export function removeRunFile(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // It was removed already.
  }
}

/** After the tool's exit its file contains the user's settings, or links to them. Never throws. */
export function restoreSettings({ file, settings, usersFile }: NamedFile): void {
  const fresh = `${file}.new`;
  try {
    // This file belongs to an earlier run whose command was typed again, and may disappear.
    if (usersFile !== null && dirname(usersFile) !== dirname(file)) symlinkSync(usersFile, fresh);
    else {
      writeFileSync(fresh, JSON.stringify(settings), { mode: PRIVATE_FILE_MODE, flag: "wx" });
      chmodSync(fresh, GIVEN_BACK_MODE);
    }
    renameSync(fresh, file);
  } catch {
    // No file is better than one with the address of an ended run.
    removeRunFile(fresh);
    removeRunFile(file);
  }
}

interface FoundRunFile {
  readonly file: string;
  readonly stats: Stats;
}

function removeLeftovers(directory: string): void {
  const left = readdirSync(directory).flatMap((name) =>
    findLeftFile(NAME.exec(name)?.[1], join(directory, name)),
  );
  const kept = left.filter(({ stats }) => isHandedBack(stats) && systemClock.now() - stats.mtimeMs < KEPT_MS);
  const latest = new Set(kept.sort((a, b) => b.stats.mtimeMs - a.stats.mtimeMs).slice(0, KEPT_MAX));
  for (const found of left) if (!latest.has(found)) removeRunFile(found.file);
}

function findLeftFile(pid: string | undefined, file: string): FoundRunFile[] {
  if (pid === undefined || isProcessAlive(Number(pid), null)) return [];
  const stats = lstatSync(file, { throwIfNoEntry: false });
  return stats ? [{ file, stats }] : [];
}

function isHandedBack(stats: Stats): boolean {
  return stats.isSymbolicLink() || (stats.mode & WRITABLE) === 0;
}
