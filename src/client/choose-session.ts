/** Finds the running session that a person names by id, the beginning of one, or a label. Pure. */
import { AtlasBridgeError } from "../model/errors.js";
import { findNearest } from "../model/data/nearest.js";
import type { ListedSession } from "../wire/listings.js";

/** `named`: null chooses the only session. Errors: ATB_USAGE (no match, or several). */
export function chooseSession(sessions: readonly ListedSession[], named: string | null): ListedSession {
  const meant = sessions.filter(({ sessionId, label }) => {
    return (
      named === null ||
      sessionId === named ||
      label === named ||
      (named !== "" && sessionId.startsWith(named))
    );
  });
  const [first, second] = meant;
  if (first && !second) return first;
  if (sessions.length === 0) throw usageError("no session is running", "Start one: atlasbridge run TOOL");
  const known = sessions.map(({ sessionId, tool, label }) => `${sessionId} (${label ?? tool})`).join(", ");
  if (first) throw usageError("more than one session matches", `Name one: ${known}`);
  const names = sessions.flatMap(({ sessionId, label }) => [sessionId, ...(label === null ? [] : [label])]);
  const near = findNearest(named ?? "", names);
  throw usageError(
    `no running session is named "${named ?? ""}"`,
    near ? `Did you mean "${near}"?` : `Running: ${known}`,
  );
}

function usageError(message: string, hint: string): AtlasBridgeError {
  return new AtlasBridgeError("ATB_USAGE", message, { hint });
}
