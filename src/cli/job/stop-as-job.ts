/** Stops a command at Ctrl-Z with its whole job, as the terminal would have done for a program that leaves it the key (ADR 8). */
import { readFileSync } from "node:fs";
import { systemClock } from "../../observe/clock.js";
import { OwnJob, readGroups } from "../../observe/job/own-job.js";

/** The bit of SIGTSTP (20) in the masks of `/proc/PID/status`, on every system that has them. */
const SIGTSTP_BIT = 1n << 19n;

/**
 * False where the process that the shell waits for would not stop with us, such as a starter that ignores the signal: the shell
 * would never get the terminal back, and nobody would read from it.
 */
export function canStopAsJob(readFile = (file: string): string => readFileSync(file, "utf8")): boolean {
  try {
    const status = readFile(`/proc/${readGroups(readFile("/proc/self/stat")).group}/status`);
    return ["SigIgn", "SigCgt"].every((name) => {
      const mask = new RegExp(`^${name}:\\s*([0-9a-f]+)$`, "m").exec(status)?.[1];
      return mask === undefined || (BigInt(`0x${mask}`) & SIGTSTP_BIT) === 0n;
    });
  } catch {
    // The system does not tell, or the leader has ended, and the shell waits for those who are left.
    return true;
  }
}

/** Call with the terminal given back. Resolves once we are continued and have the terminal, or at once if nobody could continue us. */
export async function stopAsJob(): Promise<void> {
  const job = new OwnJob({ clock: systemClock });
  const mustWait = (): boolean => job.isInBackground;
  let isStopped = await job.stop("SIGTSTP");
  while (isStopped && mustWait()) {
    await job.waitBeforeStop();
    isStopped = mustWait() && (await job.stop("SIGTTOU"));
  }
}
