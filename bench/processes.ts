/** What the kernel says of our processes. Linux only. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** The command itself, where a shell keeps its jobs. */
export function commandBelow(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return Number.parseInt(children, 10) || pid;
}

export function residentMegabytes(pid: number): number {
  return readNumber(pid, /VmRSS:\s+(\d+)/) / 1024;
}

export function countThreads(pid: number): number {
  return readNumber(pid, /Threads:\s+(\d+)/);
}

/**
 * Open descriptors, apart from those of terminal masters: a program that opens many terminals passes them on to all that it starts there.
 * Of a process of ours this needs root: none of them can be looked into by others.
 */
export function countDescriptors(pid: number): number {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).filter((name) => !readTarget(`${folder}/${name}`).endsWith("/ptmx")).length;
}

/** Empty where it was closed meanwhile. */
function readTarget(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return "";
  }
}

/** The process that serves this home: its command names us, its environment the place; null if none does. */
export function findHubPid(home: string): number | null {
  const found = readdirSync("/proc").find((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const command = readFileSync(`/proc/${name}/cmdline`, "utf8").split("\0");
      return command.includes("hub") && readFileSync(`/proc/${name}/environ`, "utf8").includes(`=${home}\0`);
    } catch {
      return false; // It ended meanwhile.
    }
  });
  return found === undefined ? null : Number(found);
}

function readNumber(pid: number, pattern: RegExp): number {
  return Number(pattern.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
}
