import { resolvePaths } from "../../src/config/paths.js";
import { chooseSession } from "../../src/client/choose-session.js";
import { fetchSessions, withHub } from "../../src/client/client.js";
import type { Drafted } from "./draft.js";

/**
 * Saves a running session's recent output as a draft. `session`: id, its beginning, or label; null: the only one. Errors: ATB_USAGE (no
 * match, or several), ATB_HUB_*, ATB_WIRE_*.
 */
export function captureSession(session: string | null): Promise<Drafted> {
  return withHub(resolvePaths(), async (hub) => {
    const { sessionId } = chooseSession(await fetchSessions(hub, false), session);
    const { toldAtMs, ...files } = await hub.call("session.capture", { sessionId });
    return { ...files, told: toldAtMs === null ? null : { atMs: toldAtMs } };
  });
}
