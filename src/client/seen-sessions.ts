/** Sessions as the hub lists them, and what the system alone knows of their processes. */
import type { ListedSession } from "../wire/listings.js";
import { processStopped } from "../observe/process-life.js";
import { fetchSessions } from "./client.js";
import type { HubClient } from "./connect/meet-hub.js";

export interface SeenSession extends ListedSession {
  /** Its process is stopped (Ctrl-Z, SIGSTOP): nothing of it goes on, and it takes no answer. */
  readonly stopped: boolean;
}

export async function seeSessions(hub: HubClient, all: boolean): Promise<SeenSession[]> {
  const sessions = await fetchSessions(hub, all);
  return sessions.map((session) => ({
    ...session,
    stopped: session.endedAt === null && processStopped(session.pid),
  }));
}
