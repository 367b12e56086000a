/** Reads facts about a process from `/proc` (`proc(5)`): its parent, its session's leader, and the mark of a supervised tool. */
import { readFileSync } from "node:fs";
import { SESSION_MARK } from "../model/session-mark.js";

/** What the system says of a process. */
export interface ProcessFacts {
  readonly parent: number;
  /** Leader of its session; unlike the parent it does not change when a process exits. */
  readonly leader: number;
  /** Its session has a terminal, so a person may use it. */
  readonly hasTerminal: boolean;
  /** Value of the inherited mark; null without one. */
  readonly mark: string | null;
  /** Its environment is unreadable, so it may carry a mark: another user's process, or one that protected itself. */
  readonly isClosed?: boolean;
}

/** Null if the process is gone. */
export type ReadProcess = (pid: number) => ProcessFacts | null;

/** More generations than any tool has; a longer chain changes while it is read. */
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
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name is in brackets and may contain blanks and brackets; fields are counted after it.
    const [, parent, , leader, terminal] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { parent: Number(parent), leader: Number(leader), hasTerminal: Number(terminal) !== 0 };
  } catch {
    return null;
  }
}

/** The process's ancestors, nearest first, without the system's first process; null if the chain cannot be followed. */
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
