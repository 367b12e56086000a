/**
 * A chat service may deliver a message hours later, or behind newer ones: Slack sends an event again that a killed hub has not
 * acknowledged. A command that comes so is not typed, since its program is no longer where its sender saw it.
 */
import type { SessionId } from "../../model/ids.js";
import { formatDuration } from "../delivery/notices/span.js";
import type { Ledger } from "../ledger/ledger.js";
import type { Requester } from "../ledger/requester.js";

type Sent = Pick<Requester, "configuredChannel" | "sentAt">;

const SCOPE = "console_newest";
/** Who has written a command waits for its result about this long. It also allows for clocks that differ by minutes. */
const LATE_MS = 10 * 60_000;

/** Why a command is not typed, in words; null: it came in time, and in order. */
export function describeLateness(
  ledger: Ledger,
  now: number,
  sessionId: SessionId,
  { configuredChannel, sentAt }: Sent,
): string | null {
  if (sentAt === undefined) return null;
  const newest = readNewest(ledger, sessionId)[configuredChannel.id] ?? sentAt;
  if (sentAt < newest) return "it came after a command that was sent later";
  return now - sentAt > LATE_MS ? `it was sent ${formatDuration(now - sentAt)} ago` : null;
}

/** Call in the transaction that records an accepted command. */
export function noteSent(ledger: Ledger, sessionId: SessionId, { configuredChannel, sentAt }: Sent): void {
  if (sentAt === undefined) return;
  const newest = { ...readNewest(ledger, sessionId), [configuredChannel.id]: sentAt };
  ledger.store.settings.set(SCOPE, sessionId, JSON.stringify(newest));
}

/** Call when the session has ended. */
export function forgetSent(ledger: Ledger, sessionId: SessionId): void {
  ledger.store.settings.remove(SCOPE, sessionId);
}

/** By channel, as the clocks of two services differ. */
function readNewest({ store }: Ledger, sessionId: SessionId): Readonly<Record<string, number>> {
  return (store.settings.getJson(SCOPE, sessionId) ?? {}) as Readonly<Record<string, number>>;
}
