/** A tool that waits for its next task: its people are told once, with what it said last. Inside the transaction of the news. */
import type { SessionId } from "../../model/ids.js";
import { holdsWords, idleText } from "../delivery/notices/idle-text.js";
import type { DeliveryRow } from "../store/tables/deliveries.js";
import type { SessionRow } from "../store/tables/sessions.js";
import { tellPlace, tellRoutes } from "../ledger/enqueue-notices.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";

/** What the tool said is known within a second; between two parts of one turn it may seem idle for as long. */
const SETTLES_MS = 3_000;
/** The screen lags behind the tool's own word: the same words again within this are the same turn. */
const SAME_TURN_MS = 10_000;

/** A chat that was out of reach for longer need not hear of every turn since: of older ones the last says what there is to know. */
const KEPT_MS = 10 * 60_000;
/** Nor of more than these. */
const WAITING_MAX = 10;

/** The session is idle; `before` is its row until now, `said` what is newly known of its words. */
export function sayIdle(ledger: Ledger, tx: Transaction, before: SessionRow, said: string | null): void {
  const { toolState, closedAt, capabilities, sessionId } = before;
  if (!ledger.options.settings().conversation.idle_message || closedAt !== null) return;
  if (!capabilities.chatTurns && said === null) return;
  const text = ledger.options.safeText(idleText(before, said ?? before.said));
  const told = ledger.store.deliveries.latestOf(sessionId, "idle");
  const isSameRest = toolState === "idle";
  const isWaiting = told.some(({ state }) => state === "waiting");
  if (said === null && (isSameRest || isWaiting)) return;
  // At its start it has done nothing yet; what runs inside tells for itself.
  if (toolState === "starting" || ledger.store.sessions.hasOpenInner(sessionId)) return;
  if (isSameRest || isWaiting) {
    for (const latest of latestOfEach(told)) say(ledger, tx, { text, latest, told, isSameRest });
    return;
  }
  const [latest] = told;
  if (said !== null && latest && isSameTurn(latest, text, tx.now)) return;
  const settledAt = said === null ? tx.now + SETTLES_MS : tx.now;
  tellRoutes(ledger, tx, before, { text, role: "idle", dueAt: dueAtOf(ledger, tx, sessionId, settledAt) });
}

/** Of each place the latest; `rows` begin with the latest of all. */
function latestOfEach(rows: readonly DeliveryRow[]): readonly DeliveryRow[] {
  const keyOf = ({ channel, place }: DeliveryRow): string => JSON.stringify([channel, place]);
  return rows.filter((row, at) => rows.findIndex((other) => keyOf(other) === keyOf(row)) === at);
}

interface Saying {
  readonly text: string;
  /** What was told last at this place. */
  readonly latest: DeliveryRow;
  readonly told: readonly DeliveryRow[];
  /** The tool has not worked since it was told. */
  readonly isSameRest: boolean;
}

/** Words that are known now: they stand in what is to be posted there yet, or else are told by themselves. No words are lost. */
function say(ledger: Ledger, tx: Transaction, saying: Saying): void {
  const { text, latest, isSameRest } = saying;
  const { deliveryId, sessionId, channel, place, state } = latest;
  const isTold = latest.text === text && (isSameRest || isSameTurn(latest, text, tx.now));
  if (isTold && state !== "waiting") return;
  const dueAt = dueAtOf(ledger, tx, sessionId, tx.now);
  if (state === "waiting" && (latest.text === text || mayChange(ledger, tx, saying))) {
    ledger.store.deliveries.setText(deliveryId, text);
    ledger.store.outbox.hurry(deliveryId, dueAt);
    tx.tell({ kind: "outbox" });
  } else tellPlace(ledger, tx, { sessionId, channel, place, dueAt }, text, "idle");
}

/**
 * Without words it says nothing yet, and who holds it back by typing has read the earlier ones. Of what waits for long, or in a crowd,
 * the last one gives way.
 */
function mayChange(ledger: Ledger, tx: Transaction, { latest, told }: Saying): boolean {
  const { deliveryId, channel, place, createdAt, text } = latest;
  if (!holdsWords(text ?? "") || ledger.store.outbox.isHeld(deliveryId, tx.now)) return true;
  const isHere = (row: DeliveryRow): boolean => row.channel === channel && row.place === place;
  const waiting = told.filter((row) => row.state === "waiting" && isHere(row));
  return tx.now - createdAt > KEPT_MS || waiting.length >= WAITING_MAX;
}

function isSameTurn({ text, createdAt }: DeliveryRow, said: string, now: number): boolean {
  // A clock that was set since says nothing of how long ago that was: better told twice.
  return text === said && Math.abs(now - createdAt) < SAME_TURN_MS;
}

function dueAtOf(ledger: Ledger, tx: Transaction, sessionId: SessionId, settledAt: number): number {
  const { deliver_after } = ledger.options.settings().prompts;
  return Math.max(settledAt, ledger.presence.heldUntil(sessionId, tx.now, deliver_after));
}
