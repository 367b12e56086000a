/** Facts about a process from `/proc` (`proc(5)`). */
import { existsSync, readFileSync } from "node:fs";
import { SESSION_MARK } from "../model/session-mark.js";
import { readStat } from "./process-life.js";
import { getNativeCalls } from "./system-calls.js";

export interface ProcessFacts {
  readonly parent: number;
  /** Leader of its session; unlike the parent it does not change when a process exits. */
  readonly leader: number;
  /** A person may use it. */
  readonly hasTerminal: boolean;
  /** Value of the inherited mark; null without one. */
  readonly mark: string | null;
  /** Unreadable, so it may have a mark: another user's process, or a protected one. */
  readonly isClosed?: boolean;
}

/** Null if the process is gone. */
export type ReadProcess = (pid: number) => ProcessFacts | null;

/** Longer than any chain. */
export const GENERATIONS_MAX = 64;

export const readProcessFacts: ReadProcess = (pid) => {
  const place = readPlace(pid);
  const environment = readEnvironment(pid);
  return place && { ...place, mark: environment?.get(SESSION_MARK) || null, isClosed: environment === null };
};

/** The environment at its start; null if unreadable. A process can change it. */
export function readEnvironment(pid: number): ReadonlyMap<string, string> | null {
  try {
    const entries = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
    return new Map(
      entries.map((entry) => {
        const end = entry.indexOf("=");
        return [entry.slice(0, Math.max(0, end)), entry.slice(end + 1)];
      }),
    );
  } catch {
    return null;
  }
}

function readPlace(pid: number): Omit<ProcessFacts, "mark"> | null {
  const stat = readStat(pid);
  if (!stat) return null;
  const [, parent, , leader, terminal] = stat;
  return { parent: Number(parent), leader: Number(leader), hasTerminal: Number(terminal) !== 0 };
}

/** Nearest first, without the system's first process; null if the chain cannot be followed. */
export function listAncestors(pid: number): readonly number[] | null {
  const above: number[] = [];
  for (let at = pid; above.length < GENERATIONS_MAX;) {
    const place = readPlace(at);
    if (!place) return null;
    if (place.parent <= 1) return above;
    above.push(place.parent);
    at = place.parent;
  }
  return null;
}

/*
 * The descent mark tells what a session has started, even when its worker and every process in between have ended (ADR 29). It is
 * the hard limit of file locks (`setrlimit(2)`, RLIMIT_LOCKS), which no Linux since 2.4.25 applies: processes inherit it, and only
 * CAP_SYS_RESOURCE can raise it again. Each worker lowers its own by one, so whatever descends from a worker has at most its mark.
 */

/** No system sets this limit itself, and it fits into 32 bits. */
const FIRST_MARK = 1_000_000_000;
const HARD_LIMIT = /^Max file locks +\S+ +(\d+)/m;

/** Infinity without a mark; 0 if the process is gone. */
export function readDescentMark(pid: number | "self"): number {
  try {
    const limits = readFileSync(`/proc/${pid}/limits`, "utf8");
    return Number(HARD_LIMIT.exec(limits)?.[1] ?? Infinity);
  } catch {
    return existsSync(`/proc/${pid}`) ? Infinity : 0;
  }
}

/** Call before a worker starts its tool. Linux only. */
export function markDescendants(): void {
  getNativeCalls()?.limitFileLocks(Math.max(0, Math.min(FIRST_MARK, readDescentMark("self") - 1)));
}
