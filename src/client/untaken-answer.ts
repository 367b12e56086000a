/** Tells a waiting person once if a session does not pick up an accepted answer. */
import type { Cancel, Clock } from "../model/clock.js";
import { CALL_TIMEOUT_MS } from "../wire/outgoing.js";
import { fetchPrompts } from "./client.js";
import type { HubClient } from "./connect/meet-hub.js";
import { inspectSessions, type InspectedSession } from "./seen-sessions.js";

/** A live session picks an answer up at once; after this time the hub offers it again. */
const PICKUP_LIMIT_MS = CALL_TIMEOUT_MS;

export type OnAnswerNotPickedUp = (session: InspectedSession) => void;

export function watchAnswerNotPickedUp(
  hub: HubClient,
  promptId: string,
  clock: Pick<Clock, "after">,
  onNotPickedUp: OnAnswerNotPickedUp,
): Cancel {
  let isCancelled = false;
  const cancel = clock.after(PICKUP_LIMIT_MS, () => {
    // If the hub is lost, the waiting caller reconnects.
    const looked = findSessionNotPickingUp(hub, promptId).catch(() => null);
    void looked.then((session) => session && !isCancelled && onNotPickedUp(session));
  });
  return () => {
    isCancelled = true;
    cancel();
  };
}

/** The answer's session, if it is stopped or not connected directly after the claim. Never rejects. */
export async function findSessionThatCannotPickUp(
  hub: HubClient,
  promptId: string,
): Promise<InspectedSession | null> {
  const session = await findSessionNotPickingUp(hub, promptId).catch(() => null);
  return session !== null && (session.stopped || !session.connected) ? session : null;
}

async function findSessionNotPickingUp(hub: HubClient, promptId: string): Promise<InspectedSession | null> {
  const prompt = (await fetchPrompts(hub, false)).find((each) => each.promptId === promptId);
  if (prompt?.state !== "answering") return null;
  const sessions = await inspectSessions(hub, false);
  return sessions.find(({ sessionId }) => sessionId === prompt.sessionId) ?? null;
}
