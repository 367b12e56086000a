/** What `/proc` says of a process (`proc(5)`): its parent, the leader of its session, and the mark of a supervised tool. */
import { readFileSync } from "node:fs";
import { SESSION_MARK } from "../model/session-mark.js";

/** What the system says of a process. */
export interface ProcessFacts {
  readonly parent: number;
  /** Leader of its session: stays when the parent has ended. */
  readonly leader: number;
  /** A person may sit at it. */
  readonly hasTerminal: boolean;
  /** Value of the inherited mark; null without one. */
  readonly mark: string | null;
  /** Its environment may not be read, so that nobody knows whether it carries a mark: somebody else's process, or one that closed itself. */
  readonly isClosed?: boolean;
}

/** Null when the process is gone. */
export type ReadProcess = (pid: number) => ProcessFacts | null;

/** More generations than any tool starts; a chain that is longer is a chain that changes while it is read. */
export const GENERATIONS_MAX = 64;

export const readProcessFacts: ReadProcess = (pid) => {
  const place = placeOf(pid);
  const environment = environmentOf(pid);
  return place && { ...place, mark: environment?.get(SESSION_MARK) || null, isClosed: environment === null };
};

/** Of what a process was started with; null where it may not be read. A process can change what stands there. */
export function environmentOf(pid: number): ReadonlyMap<string, string> | null {
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

function placeOf(pid: number): Omit<ProcessFacts, "mark"> | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name stands in brackets and may hold blanks and brackets; from behind it the fields can be counted.
    const [, parent, , leader, terminal] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { parent: Number(parent), leader: Number(leader), hasTerminal: Number(terminal) !== 0 };
  } catch {
    return null;
  }
}

/** The processes above this one, nearest first, the system's first one left out; null when the chain cannot be followed. */
export function ancestorsOf(pid: number): readonly number[] | null {
  const above: number[] = [];
  for (let at = pid; above.length < GENERATIONS_MAX;) {
    const place = placeOf(at);
    if (!place) return null;
    if (place.parent <= 1) return above;
    above.push(place.parent);
    at = place.parent;
  }
  return null;
}
