/** Whether a process still runs: its number alone does not tell, for numbers are given again. */
import { readFileSync } from "node:fs";

/** States of a process that has ended but was not collected yet. */
const DEAD_STATES = new Set(["Z", "X", "x"]);

interface ProcessStat {
  readonly state: string;
  /** Clock ticks since boot. */
  readonly startTime: string;
}

function statOf(pid: number): ProcessStat | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name stands in brackets and may hold blanks and brackets; from behind it the fields can be counted.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0] ?? "", startTime: fields[19] ?? "" };
  } catch {
    return null;
  }
}

/** As `proc(5)` names it: "Z" has ended and was not collected. Null where the system does not tell, or it is gone. */
export function processState(pid: number): string | null {
  return statOf(pid)?.state ?? null;
}

/** Whether the process is stopped (Ctrl-Z, SIGSTOP) and waits to be continued. False where the system does not tell. */
export function processStopped(pid: number): boolean {
  return statOf(pid)?.state === "T";
}

/** Kernel start time (clock ticks since boot) of a process; null where the system does not tell or it is gone. */
export function processStartTime(pid: number): string | null {
  return statOf(pid)?.startTime ?? null;
}

/** Whether that very process runs. Without a start time only the number is compared. A zombie does not run. */
export function processAlive(pid: number, startTime: string | null): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs, as somebody else.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  const stat = statOf(pid);
  if (stat && DEAD_STATES.has(stat.state)) return false;
  return startTime === null || stat?.startTime === startTime;
}
