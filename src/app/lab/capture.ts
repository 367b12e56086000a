/** Asks a running session to keep what it showed lately as a draft of a scenario. */
import { resolvePaths } from "../../config/paths.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { nearest } from "../../model/data/nearest.js";
import type { ListedSession } from "../../wire/listings.js";
import { fetchSessions, withHub } from "../hub/client/client.js";
import type { Drafted } from "./draft.js";

/** `session`: id, its beginning, or the label; null: the only one. Errors: ATB_USAGE (none, or which?), ATB_HUB_*, ATB_WIRE_*. */
export function captureSession(session: string | null): Promise<Drafted> {
  return withHub(resolvePaths(), async (hub) => {
    const { sessionId } = chooseSession(await fetchSessions(hub, false), session);
    const { toldAtMs, ...files } = await hub.call("session.capture", { sessionId });
    return { ...files, told: toldAtMs === null ? null : { atMs: toldAtMs } };
  });
}

/** The session that is meant among the running ones. */
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
  if (sessions.length === 0) throw usage("no session runs", "Start one: atlasbridge run TOOL");
  const known = sessions.map(({ sessionId, tool, label }) => `${sessionId} (${label ?? tool})`).join(", ");
  if (first) throw usage("more than one session is meant", `Say which: ${known}`);
  const names = sessions.flatMap(({ sessionId, label }) => [sessionId, ...(label === null ? [] : [label])]);
  const near = nearest(named ?? "", names);
  throw usage(
    `no running session is named "${named ?? ""}"`,
    near ? `Did you mean "${near}"?` : `There are: ${known}`,
  );
}

function usage(message: string, hint: string): AtlasBridgeError {
  return new AtlasBridgeError("ATB_USAGE", message, { hint });
}
