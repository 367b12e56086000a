import { createUsageError } from "../model/errors.js";
import { findNearest } from "../model/data/nearest.js";
import type { ListedSession } from "../wire/listings.js";

/** `named`: null chooses the only session. Errors: ATB_USAGE (no match, or several). */
export function chooseSession(sessions: readonly ListedSession[], named: string | null): ListedSession {
  const matches = findMatches(sessions, named);
  const [first, second] = matches;
  if (first && !second) return first;
  if (sessions.length === 0)
    throw createUsageError("no session is running", "Start one: atlasbridge run TOOL");
  if (first) throw createUsageError("more than one session matches", `Name one: ${list(matches)}`);
  const names = sessions.flatMap(({ sessionId, label }) => [sessionId, ...(label === null ? [] : [label])]);
  const nearest = findNearest(named ?? "", names);
  throw createUsageError(
    `no running session is named "${named ?? ""}"`,
    nearest ? `Did you mean "${nearest}"?` : `Running: ${list(sessions)}`,
  );
}

/** A full match wins over an id that begins with the same characters. */
function findMatches(sessions: readonly ListedSession[], named: string | null): readonly ListedSession[] {
  if (named === null) return sessions;
  const exact = sessions.filter(({ sessionId, label }) => sessionId === named || label === named);
  if (exact.length > 0 || named === "") return exact;
  return sessions.filter(({ sessionId }) => sessionId.startsWith(named));
}

function list(sessions: readonly ListedSession[]): string {
  return sessions.map(({ sessionId, tool, label }) => `${sessionId} (${label ?? tool})`).join(", ");
}
