/** Builds the standard streams of a process that outlives us: it must not keep a terminal open. */
import { readdirSync, readFileSync } from "node:fs";

/** O_CLOEXEC as /proc shows it (octal, Linux). */
const CLOSE_ON_EXEC = 0o2000000;

type Stdio = number | "ignore";

/**
 * Builds `stdio` for `child_process.spawn`: it starts with `streams` and covers every descriptor that the child would inherit by
 * accident with `nullFd` (an open `/dev/null`). node-pty opens its terminals inheritable; a long-lived child that held one would
 * keep the tool waiting for input forever after our death. Node cannot mark a descriptor, but it can replace it.
 */
export function buildSpawnStdio(
  streams: readonly [Stdio, Stdio, Stdio],
  nullFd: number,
  proc = "/proc",
): Stdio[] {
  const inherited = findInheritable(proc).filter((fd) => fd >= streams.length);
  const last = Math.max(streams.length - 1, ...inherited);
  const covered = Array.from({ length: last + 1 - streams.length }, (_, index): Stdio =>
    inherited.includes(index + streams.length) ? nullFd : "ignore",
  );
  return [...streams, ...covered];
}

function findInheritable(proc: string): number[] {
  try {
    return readdirSync(`${proc}/self/fdinfo`)
      .map(Number)
      .filter((fd) => isInheritable(proc, fd));
  } catch {
    return []; // Not Linux: there the system closes them for us.
  }
}

function isInheritable(proc: string, fd: number): boolean {
  try {
    const flags = /^flags:[ \t]{0,8}([0-7]+)/m.exec(readFileSync(`${proc}/self/fdinfo/${fd}`, "utf8"))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    return false; // Closed meanwhile, as the descriptor that listed the folder is.
  }
}
