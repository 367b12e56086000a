/** Adds what only the system knows about a session's process to the hub's list. */
import type { ListedSession } from "../wire/listings.js";
import { isProcessStopped } from "../observe/process-life.js";
import { fetchSessions } from "./client.js";
import type { HubClient } from "./connect/meet-hub.js";

export interface InspectedSession extends ListedSession {
  /** Its process is stopped (Ctrl-Z, SIGSTOP), so it takes no answer. */
  readonly stopped: boolean;
}

export async function inspectSessions(hub: HubClient, all: boolean): Promise<InspectedSession[]> {
  const sessions = await fetchSessions(hub, all);
  return sessions.map((session) => ({
    ...session,
    stopped: session.endedAt === null && isProcessStopped(session.pid),
  }));
}
