/** What `/proc` says of a process (`proc(5)`): its parent, the leader of its session, and the mark of a supervised tool. */
import { readFileSync } from "node:fs";
import { SESSION_MARK } from "../../model/session-mark.js";
import type { ProcessFacts } from "./supervision.js";

const MARK = `${SESSION_MARK}=`;

/** Null when the process is gone, or belongs to somebody whose processes we may not look at. */
export function readProcessFacts(pid: number): ProcessFacts | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name stands in brackets and may hold blanks and brackets; from behind it the fields can be counted.
    const [, parent, , leader, terminal] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return {
      parent: Number(parent),
      leader: Number(leader),
      hasTerminal: Number(terminal) !== 0,
      mark: markOf(pid),
    };
  } catch {
    return null;
  }
}

function markOf(pid: number): string | null {
  const variables = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  return variables.find((each) => each.startsWith(MARK))?.slice(MARK.length) || null;
}
