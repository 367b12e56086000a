/** Whether a process still runs. Its pid alone is not enough, because pids are reused. */
import { readFileSync } from "node:fs";

/** States of a process that has exited but was not collected yet. */
const DEAD_STATES = new Set(["Z", "X", "x"]);

interface ProcessStat {
  readonly state: string;
  /** Clock ticks since boot. */
  readonly startTime: string;
}

function readStat(pid: number): ProcessStat | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name is in brackets and may contain blanks and brackets; fields are counted after it.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0] ?? "", startTime: fields[19] ?? "" };
  } catch {
    return null;
  }
}

/** The state letter of `proc(5)`: "Z" has exited and was not collected. Null if unavailable, or it is gone. */
export function readProcessState(pid: number): string | null {
  return readStat(pid)?.state ?? null;
}

/** Whether the process is stopped (Ctrl-Z, SIGSTOP). False if the system does not provide it. */
export function isProcessStopped(pid: number): boolean {
  return readStat(pid)?.state === "T";
}

/** Kernel start time (clock ticks since boot) of a process; null if unavailable or it is gone. */
export function readProcessStartTime(pid: number): string | null {
  return readStat(pid)?.startTime ?? null;
}

/** Whether exactly this process runs. Without a start time only the pid is compared. A zombie does not run. */
export function isProcessAlive(pid: number, startTime: string | null): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs, as another user.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  const stat = readStat(pid);
  if (stat && DEAD_STATES.has(stat.state)) return false;
  return startTime === null || stat?.startTime === startTime;
}
