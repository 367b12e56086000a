/** Writes what a session's worker observes into the log, where the log is that detailed (adapter spec §2, `snapshot_context`). */
import type { SessionId } from "../../model/ids.js";
import type { Log } from "../../observe/log.js";
import type { WorkerLink } from "../../wire/connection-ends.js";

/**
 * Resolves when it is written; never rejects. Only the keys that every session has: others may hold what a tool asked. `why`: what
 * has just happened, a constant sentence.
 */
export async function logSnapshot(
  log: Log,
  link: Pick<WorkerLink, "call"> | null,
  sessionId: SessionId,
  why: string,
): Promise<void> {
  if (log.isDebug !== true || link === null) return;
  try {
    const snapshot = await link.call("session.snapshot", {});
    const { tool, pid, state, uptimeSeconds, promptCount } = snapshot;
    const { lastOutputAgoSeconds, ptyAlive, waitsForInput, troubles } = snapshot;
    const kept = { tool, pid, state, uptimeSeconds, promptCount, lastOutputAgoSeconds, ptyAlive };
    log("debug", why, { sessionId, ...kept, waitsForInput, troubles });
  } catch (error) {
    log("debug", "a session could not be observed", { sessionId, why, error: String(error) });
  }
}
