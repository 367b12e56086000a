/** Files that live as long as one run, in the runtime directory: yours alone, gone with the run, swept up if it was killed. */
import { readdirSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Paths } from "../../config/paths.js";
import { ensurePrivateDirectory, PRIVATE_FILE_MODE } from "../../config/private-files.js";
import { processAlive } from "../../observe/process-life.js";
import { systemRandom } from "../../observe/random.js";

const NAME = /^run-([0-9]{1,10})-[a-z0-9]{8}\.json$/;

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

function sweep(directory: string): void {
  for (const name of readdirSync(directory)) {
    const [, pid] = NAME.exec(name) ?? [];
    if (pid !== undefined && !processAlive(Number(pid), null)) removeRunFile(join(directory, name));
  }
}
