/** Whether a process still runs: its number alone does not tell, for numbers are given again. */
import { readFileSync } from "node:fs";

/** Kernel start time (clock ticks since boot) of a process; null where the system does not tell or it is gone. */
export function processStartTime(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name stands in brackets and may hold blanks; counted from behind it, the start time is the 20th field.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}

/** Whether that very process runs. Without a start time only the number is compared. */
export function processAlive(pid: number, startTime: string | null): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs, as somebody else.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return startTime === null || processStartTime(pid) === startTime;
}
