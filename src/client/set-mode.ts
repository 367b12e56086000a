import { resolvePaths } from "../config/paths.js";
import { AtlasBridgeError } from "../model/errors.js";
import type { Mode } from "../model/policy-mode.js";
import { chooseSession } from "./choose-session.js";
import { fetchSessions, queryHub } from "./client.js";
import { isInsideSession, noteInside } from "./connect/start-hub.js";

/** Returns the session's name. Errors: ATB_USAGE, ATB_SUPERVISED, ATB_HUB_REFUSED. */
export function setSessionMode(named: string, mode: Mode): Promise<string> {
  if (mode !== "off" && isInsideSession())
    throw new AtlasBridgeError(
      "ATB_SUPERVISED",
      "a program that runs under AtlasBridge may not let rules answer",
      { hint: "Do it from another terminal, or from your phone." },
    );
  return queryHub(resolvePaths(), async (hub) => {
    const { sessionId, label, tool } = chooseSession(await fetchSessions(hub, false), named);
    await hub.call("session.mode", { sessionId, mode });
    return label ?? tool;
  });
}

/**
 * Sends held back prompts to the session's chats again. `follow`: how many; null if none were held back. Errors: ATB_USAGE, ATB_SUPERVISED,
 * ATB_HUB_REFUSED.
 */
export function resumeSession(
  named: string,
): Promise<{ readonly name: string; readonly follow: number | null }> {
  return queryHub(resolvePaths(), async (hub) => {
    const { sessionId, label, tool } = chooseSession(await fetchSessions(hub, false), named);
    const { follow } = await hub.call("session.relay", { sessionId, ...noteInside() });
    return { name: label ?? tool, follow };
  });
}
