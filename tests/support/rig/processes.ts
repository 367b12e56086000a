/** Who still runs: every process of a rig carries the rig's mark in its environment, however it was started. */
import { readdirSync, readFileSync } from "node:fs";

export const RIG_MARK = "RIG_MARK";

/** Process ids of a rig, found where the system tells environments (Linux); elsewhere none. */
export function listProcesses(mark: string): number[] {
  return pids().filter((pid) => readEnvironment(pid).includes(`${RIG_MARK}=${mark}`));
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch {
    return false;
  }
}

/** Who started the process, where the system tells (Linux); else undefined. */
export function findParent(pid: number): number | undefined {
  const stat = readStat(pid);
  return stat === undefined ? undefined : Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
}

/** The `atlasbridge run` around a tool: its parent, or, where a shell keeps the tool's jobs, that shell's. */
export function runAround(tool: number): number | undefined {
  const parent = findParent(tool);
  const isShell = parent !== undefined && readCommand(parent).includes("atlasbridge-jobs");
  return isShell ? findParent(parent) : parent;
}

export function readCommand(pid: number): string {
  try {
    return `${pid} ${readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim()}`;
  } catch {
    return `${pid} (gone)`;
  }
}

function pids(): number[] {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** A zombie has none: it runs no more and only waits for its parent to look. */
function readEnvironment(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    return [];
  }
}

function isZombie(pid: number): boolean {
  return / Z /.test(readStat(pid)?.replace(/\(.*\)/s, "") ?? "");
}

function readStat(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return undefined;
  }
}
