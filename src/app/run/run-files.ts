/**
 * Files of one run, in the runtime directory: yours alone, gone with the run, swept up if it was killed. One that the tool may name in
 * what it prints at its end stays, with what its user had in its place: the printed command works when it is typed again.
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
import { processAlive } from "../../observe/process-life.js";
import { systemClock } from "../../observe/clock.js";
import { systemRandom } from "../../observe/random.js";
import type { NamedFile } from "../../worker/integrations/hooks/settings-place.js";

const NAME = /^run-([0-9]{1,10})-[a-z0-9]{8}\.json$/;
/** Says that a file was given back: what still may be written is of a run that has not ended, or was killed. */
const GIVEN_BACK_MODE = 0o400;
const WRITABLE = 0o200;
/** A printed command is typed again within days, if at all. */
const KEPT_MS = 30 * 24 * 3600 * 1000;
/** Of a script that runs tools in a loop not more than these are kept. */
const KEPT_MAX = 200;

/** Errors: as `ensurePrivateDirectory`, or the system's. */
export function writeRunFile(paths: Paths, content: object): string {
  const directory = dirname(paths.socket);
  ensurePrivateDirectory(directory);
  sweep(directory);
  const file = join(directory, `run-${process.pid}-${systemRandom.short(8)}.json`);
  writeFileSync(file, JSON.stringify(content), { mode: PRIVATE_FILE_MODE, flag: "wx" });
  return file;
}

export function removeRunFile(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // Somebody tidied up; it was to go anyway.
  }
}

/** The tool has ended: its file holds what the user had given, or leads there. Never throws. */
export function giveBack({ file, settings, usersFile }: NamedFile): void {
  const fresh = `${file}.new`;
  try {
    // A file of an earlier run, typed again: it goes before this one does.
    if (usersFile !== null && dirname(usersFile) !== dirname(file)) symlinkSync(usersFile, fresh);
    else {
      writeFileSync(fresh, JSON.stringify(settings), { mode: PRIVATE_FILE_MODE, flag: "wx" });
      chmodSync(fresh, GIVEN_BACK_MODE);
    }
    renameSync(fresh, file);
  } catch {
    // Better no file than one with the address of a run that is over.
    removeRunFile(fresh);
    removeRunFile(file);
  }
}

interface Found {
  readonly file: string;
  readonly stats: Stats;
}

function sweep(directory: string): void {
  const left = readdirSync(directory).flatMap((name) => leftBy(NAME.exec(name)?.[1], join(directory, name)));
  const kept = left.filter(({ stats }) => isGivenBack(stats) && systemClock.now() - stats.mtimeMs < KEPT_MS);
  const latest = new Set(kept.sort((a, b) => b.stats.mtimeMs - a.stats.mtimeMs).slice(0, KEPT_MAX));
  for (const found of left) if (!latest.has(found)) removeRunFile(found.file);
}

function leftBy(pid: string | undefined, file: string): Found[] {
  if (pid === undefined || processAlive(Number(pid), null)) return [];
  const stats = lstatSync(file, { throwIfNoEntry: false });
  return stats ? [{ file, stats }] : [];
}

function isGivenBack(stats: Stats): boolean {
  return stats.isSymbolicLink() || (stats.mode & WRITABLE) === 0;
}
