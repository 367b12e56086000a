/** A lock file beside the checkpoint keeps a loop from running twice. */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { isProcessAlive, readProcessStartTime } from "../observe/process-life.js";
import { PRIVATE_FILE_MODE } from "../config/private-files.js";

export type LoopClaim =
  { readonly kind: "held"; readonly release: () => void } | { readonly kind: "taken"; readonly pid: number };

interface Holder {
  readonly pid: number;
  readonly startTime: string | null;
}

/** Of two concurrent starts only one succeeds. Errors: the system's. */
export function claimLoop(file: string): LoopClaim {
  const draft = `${file}.${process.pid}.new`;
  const own: Holder = { pid: process.pid, startTime: readProcessStartTime(process.pid) };
  try {
    writeFileSync(draft, JSON.stringify(own), { mode: PRIVATE_FILE_MODE });
    while (!tryLink(draft, file)) {
      const pid = readHolder(file);
      if (pid !== null) return { kind: "taken", pid };
      setAside(file);
    }
    return { kind: "held", release: () => rmSync(file, { force: true }) };
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Unlike a rename, a link never replaces a file. False if the file exists. */
function tryLink(draft: string, file: string): boolean {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Null if the process has exited or never wrote its pid. */
function readHolder(file: string): number | null {
  try {
    const { pid, startTime } = JSON.parse(readFileSync(file, "utf8")) as Holder;
    return Number.isInteger(pid) && pid > 0 && isProcessAlive(pid, startTime) ? pid : null;
  } catch {
    return null;
  }
}

/** If another process has claimed the lock meanwhile, it is restored. */
function setAside(file: string): void {
  const aside = `${file}.${process.pid}.old`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  if (readHolder(aside) !== null) tryLink(aside, file);
  rmSync(aside, { force: true });
}
