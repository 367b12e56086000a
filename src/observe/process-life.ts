/** Whether a process still runs. Its pid alone is not enough, because pids are reused. */
import { readFileSync } from "node:fs";
import { attempt } from "../model/data/attempt.js";

const DEAD_STATES = new Set(["Z", "X", "x"]);

/** The fields of `/proc/PID/stat` after the name: state, parent, group, session, terminal, foreground group, and more. */
export function splitStat(stat: string): readonly string[] {
  // The name is in brackets and may contain blanks and brackets itself.
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** Null if the system does not provide it, or the process is gone. */
export function readStat(pid: number): readonly string[] | null {
  return attempt(() => splitStat(readFileSync(`/proc/${pid}/stat`, "utf8")), null);
}

const START_TIME = 19;

/** The state letter of `proc(5)`: "Z" has exited and was not collected. Null if unavailable, or it is gone. */
export function readProcessState(pid: number): string | null {
  return readStat(pid)?.[0] ?? null;
}

export function isProcessStopped(pid: number): boolean {
  return readStat(pid)?.[0] === "T";
}

/** Kernel start time (clock ticks since boot) of a process; null if unavailable or it is gone. */
export function readProcessStartTime(pid: number): string | null {
  return readStat(pid)?.[START_TIME] ?? null;
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
  if (DEAD_STATES.has(stat?.[0] ?? "")) return false;
  return startTime === null || stat?.[START_TIME] === startTime;
}
