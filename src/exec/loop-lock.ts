/** One loop runs once: a file beside its checkpoint says which process it is. */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { processAlive, processStartTime } from "../observe/process-life.js";
import { PRIVATE_FILE_MODE } from "../config/private-files.js";

export type LoopClaim =
  { readonly kind: "held"; readonly release: () => void } | { readonly kind: "taken"; readonly pid: number };

interface Holder {
  readonly pid: number;
  readonly startTime: string | null;
}

/** Before the tool is started: two that start together never both get it. Errors: the system's. */
export function claimLoop(file: string): LoopClaim {
  const draft = `${file}.${process.pid}.new`;
  const own: Holder = { pid: process.pid, startTime: processStartTime(process.pid) };
  try {
    writeFileSync(draft, JSON.stringify(own), { mode: PRIVATE_FILE_MODE });
    while (!linked(draft, file)) {
      const pid = holderOf(file);
      if (pid !== null) return { kind: "taken", pid };
      setAside(file);
    }
    return { kind: "held", release: () => rmSync(file, { force: true }) };
  } finally {
    rmSync(draft, { force: true });
  }
}

/** False where another stands there: a link, unlike a renamed file, replaces nothing. */
function linked(draft: string, file: string): boolean {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** The process that holds it; null where that has ended, or never wrote its name. */
function holderOf(file: string): number | null {
  try {
    const { pid, startTime } = JSON.parse(readFileSync(file, "utf8")) as Holder;
    return Number.isInteger(pid) && pid > 0 && processAlive(pid, startTime) ? pid : null;
  } catch {
    return null;
  }
}

/** Of one that has ended. Whoever came first may have taken its place by now: then it is put back. */
function setAside(file: string): void {
  const aside = `${file}.${process.pid}.old`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  if (holderOf(aside) !== null) linked(aside, file);
  rmSync(aside, { force: true });
}
