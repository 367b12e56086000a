/** Tells a tool's people once that it waits for its next task, with its last message. Runs inside the transaction of that event. */
import type { SessionId } from "../../model/ids.js";
import { asksQuestion, hasLastMessage, describeIdle } from "../delivery/notices/idle-text.js";
import type { DeliveryRow } from "../store/tables/deliveries.js";
import type { SessionRow } from "../store/tables/sessions.js";
import { dropNotice, enqueueAtPlace, enqueueAtRoutes } from "../ledger/enqueue-notices.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";

/** The tool's last message is known within a second; between two parts of one turn it may seem idle for as long. */
const SETTLES_MS = 3_000;
/** The screen lags behind the tool's hooks: the same message within this time belongs to the same turn. */
const SAME_TURN_MS = 10_000;

/** After a longer outage a chat does not need every turn; the latest one is enough. */
const KEPT_MS = 10 * 60_000;
const WAITING_MAX = 10;
/**
 * Somebody who types in one session for an hour must not keep the end of another session's turn from its people for as long, some of whom
 * may be elsewhere: the hub does not know who types.
 */
export const TYPING_ELSEWHERE_MAX_MS = 5 * 60_000;

/** Called when the session becomes idle. `before` is its row until now, `said` its last message if newly known. */
export function announceIdle(ledger: Ledger, tx: Transaction, before: SessionRow, said: string | null): void {
  const { toolState, closedAt, capabilities, sessionId } = before;
  if (!ledger.options.settings().conversation.idle_message || closedAt !== null) return;
  if (!capabilities.chatTurns && said === null) return;
  const isStart = ledger.firstTurns.isOnlyStarted(sessionId, tx.now, said);
  const text = ledger.options.safeText(describeIdle(before, said ?? before.said));
  const told = ledger.store.deliveries.listLatest(sessionId, "idle");
  const isSameRest = toolState === "idle";
  const isWaiting = told.some(({ state }) => state === "waiting");
  if (said === null && (isSameRest || isWaiting)) return;
  // At its start the tool has done nothing yet, unless it has a message; an inner session announces itself.
  if ((toolState === "starting" && said === null) || ledger.store.sessions.hasOpenInner(sessionId)) return;
  if (isStart) return;
  // The first idle state looked like the start of the tool and was not reported. It is reported with the message that proves a turn.
  if (isWaiting || (isSameRest && told.length > 0)) {
    for (const latest of keepLatestPerPlace(told)) announceAt(ledger, tx, { text, latest, told, isSameRest });
    return;
  }
  const [latest] = told;
  if (said !== null && latest && isSameTurn(ledger, latest, text, tx.now)) return;
  const settledAt = said === null ? tx.now + SETTLES_MS : tx.now;
  enqueueAtRoutes(ledger, tx, before, {
    text,
    role: "idle",
    dueAt: computeDueAt(ledger, tx, { sessionId, text, settledAt }),
  });
}

/** Drops held-back messages whose person has read them at the terminal: they typed at `seenAt`, or gave the tool its next work. */
export function dropReadNotices(ledger: Ledger, tx: Transaction, sessionId: SessionId, seenAt: number): void {
  const { deliveries, outbox } = ledger.store;
  for (const row of deliveries.listLatest(sessionId, "idle"))
    if (row.state === "waiting" && row.createdAt < seenAt && outbox.isHeld(row.deliveryId, tx.now))
      dropNotice(ledger, tx, row);
}

function keepLatestPerPlace(rows: readonly DeliveryRow[]): readonly DeliveryRow[] {
  const createKey = ({ channel, place }: DeliveryRow): string => JSON.stringify([channel, place]);
  return rows.filter((row, at) => rows.findIndex((other) => createKey(other) === createKey(row)) === at);
}

interface IdleNotice {
  readonly text: string;
  readonly latest: DeliveryRow;
  readonly told: readonly DeliveryRow[];
  readonly isSameRest: boolean;
}

/** Announces the message: by changing the notice that is still unsent, or in a new one. No message is lost. */
function announceAt(ledger: Ledger, tx: Transaction, saying: IdleNotice): void {
  const { text, latest, isSameRest } = saying;
  const { deliveryId, sessionId, channel, place, state } = latest;
  const isAnnounced = latest.text === text && (isSameRest || isSameTurn(ledger, latest, text, tx.now));
  if (isAnnounced && state !== "waiting") return;
  const dueAt = computeDueAt(ledger, tx, { sessionId, text, settledAt: tx.now });
  if (state === "waiting" && (latest.text === text || mayReplaceText(ledger, tx, saying))) {
    ledger.store.deliveries.setText(deliveryId, text);
    ledger.store.outbox.advance(deliveryId, dueAt);
    tx.emit({ kind: "outbox" });
  } else enqueueAtPlace(ledger, tx, { sessionId, channel, place, dueAt }, text, "idle");
}

/** The unsent notice has no message yet, or its reader has seen it at the terminal; in a long queue the last one is replaced. */
function mayReplaceText(ledger: Ledger, tx: Transaction, { latest, told }: IdleNotice): boolean {
  const { deliveryId, channel, place, createdAt, text } = latest;
  if (!hasLastMessage(text ?? "") || ledger.store.outbox.isHeld(deliveryId, tx.now)) return true;
  const isHere = (row: DeliveryRow): boolean => row.channel === channel && row.place === place;
  const waiting = told.filter((row) => row.state === "waiting" && isHere(row));
  return tx.now - createdAt > KEPT_MS || waiting.length >= WAITING_MAX;
}

function isSameTurn({ store }: Ledger, notice: DeliveryRow, said: string, now: number): boolean {
  const { sessionId, text, createdAt, state } = notice;
  // A notice that was dropped belongs to a turn that its reader has answered, and a task since then has begun another one. If the clock was
  // set since, the age is unknown; a duplicate notice is better than none.
  const isRecent = Math.abs(now - createdAt) < SAME_TURN_MS;
  return state !== "abandoned" && text === said && isRecent && !store.tasks.hasSince(sessionId, createdAt);
}

/**
 * A person who typed just before the turn ended gets the same time to read its end. Where the turn ended without a question, nothing waits
 * for an answer, so somebody who types at another terminal is not called away from it at once either.
 */
function computeDueAt(
  { options, presence }: Ledger,
  { now }: Transaction,
  notice: { readonly sessionId: SessionId; readonly text: string; readonly settledAt: number },
): number {
  const { sessionId, text, settledAt } = notice;
  const { deliver_after } = options.settings().prompts;
  const isTypedAt = (at: SessionId | null): boolean => presence.computeHoldEnd(at, now, deliver_after) > now;
  if (isTypedAt(sessionId)) return Math.max(settledAt, now + deliver_after);
  if (asksQuestion(text) || !isTypedAt(null)) return settledAt;
  return Math.max(settledAt, now + Math.min(deliver_after, TYPING_ELSEWHERE_MAX_MS));
}
