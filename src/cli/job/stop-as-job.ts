/** At Ctrl-Z stops the whole job of this command, as a terminal does (ADR 8). */
import { readFileSync } from "node:fs";
import { systemClock } from "../../observe/clock.js";
import { OwnJob, readGroups } from "../../observe/job/own-job.js";

/** The bit of SIGTSTP (20) in the masks of `/proc/PID/status`, on every system that has them. */
const SIGTSTP_BIT = 1n << 19n;

/** False if the process that the shell waits for ignores the signal, as some starters do: the shell would never get the terminal back. */
export function canStopAsJob(readFile = (file: string): string => readFileSync(file, "utf8")): boolean {
  try {
    const status = readFile(`/proc/${readGroups(readFile("/proc/self/stat")).group}/status`);
    return ["SigIgn", "SigCgt"].every((name) => {
      const mask = new RegExp(`^${name}:\\s*([0-9a-f]+)$`, "m").exec(status)?.[1];
      return mask === undefined || (BigInt(`0x${mask}`) & SIGTSTP_BIT) === 0n;
    });
  } catch {
    // The system provides no such data, or the group's leader has exited.
    return true;
  }
}

/** Call after giving the terminal back. Resolves once we continue in the foreground, or at once if nobody could continue us. */
export async function stopAsJob(): Promise<void> {
  const job = new OwnJob({ clock: systemClock });
  const mustWait = (): boolean => job.isInBackground;
  let isStopped = await job.stop("SIGTSTP");
  while (isStopped && mustWait()) {
    await job.waitBeforeStop();
    isStopped = mustWait() && (await job.stop("SIGTTOU"));
  }
}
