import type { ListedSession } from "../wire/listings.js";
import { isProcessStopped } from "../observe/process-life.js";
import { SESSION_TROUBLES, type SessionTrouble } from "../sdk/adapter.js";
import { fetchSessions } from "./client.js";
import type { HubCalls, ResultOf } from "../wire/messages.js";
import type { HubClient } from "./connect/meet-hub.js";

/** A worker answers within milliseconds; on a busy machine, within a second. */
const SNAPSHOT_LIMIT_MS = 2_000;

export interface InspectedSession extends ListedSession {
  /** Its process is stopped (Ctrl-Z, SIGSTOP) and takes no answer. */
  readonly stopped: boolean;
}

export async function inspectSessions(hub: HubClient, all: boolean): Promise<InspectedSession[]> {
  const sessions = await fetchSessions(hub, all);
  return sessions.map((session) => ({
    ...session,
    stopped: session.endedAt === null && isProcessStopped(session.pid),
  }));
}

export type Snapshot = ResultOf<HubCalls, "session.snapshot">;

export interface ObservedSession extends InspectedSession {
  /** As its own worker reports it; null if the worker did not respond in time. */
  readonly snapshot: Snapshot | null;
}

export async function observeSessions(hub: HubClient): Promise<ObservedSession[]> {
  const sessions = await inspectSessions(hub, false);
  return Promise.all(
    sessions.map(async (session) => ({ ...session, snapshot: await takeSnapshot(hub, session) })),
  );
}

async function takeSnapshot(
  hub: HubClient,
  { sessionId, connected, stopped }: InspectedSession,
): Promise<Snapshot | null> {
  if (!connected || stopped) return null;
  return hub.call("session.snapshot", { sessionId }, { timeoutMs: SNAPSHOT_LIMIT_MS }).catch(() => null);
}

/** Unknown troubles of a newer worker are returned unchanged. */
export function describeTrouble(trouble: string): string {
  return trouble in SESSION_TROUBLES ? SESSION_TROUBLES[trouble as SessionTrouble] : trouble;
}
