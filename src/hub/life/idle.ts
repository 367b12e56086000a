/** A tool that waits for its next task: its people are told once, with what it said last. Inside the transaction of the news. */
import { idleText } from "../delivery/idle-text.js";
import type { SessionRow } from "../store/sessions.js";
import { tellRoutes } from "./deal-cards.js";
import type { Ledger, Transaction } from "./ledger.js";

/** What the tool said is known within a second; between two parts of one turn it may seem idle for as long. */
const SETTLES_MS = 3_000;
/** The screen lags behind the tool's own word: the same words again within this are the same turn. */
const SAME_TURN_MS = 10_000;

/** The session is idle; `before` is its row until now, `said` what is newly known of its words. */
export function sayIdle(ledger: Ledger, tx: Transaction, before: SessionRow, said: string | null): void {
  const { toolState, closedAt, capabilities } = before;
  if (!ledger.options.settings().conversation.idle_message || closedAt !== null) return;
  if (!capabilities.chatTurns && said === null) return;
  const text = ledger.options.safeText(idleText(before, said ?? before.said));
  if (toolState === "idle" || sayLater(ledger, tx, before, text, said !== null)) {
    if (said !== null) hurry(ledger, tx, before, text);
    return;
  }
  // At its start it has done nothing yet; what runs inside tells for itself.
  if (toolState === "starting" || ledger.store.sessions.hasOpenInner(before.sessionId)) return;
  const settledAt = said === null ? tx.now + SETTLES_MS : tx.now;
  const { deliver_after } = ledger.options.settings().prompts;
  const dueAt = Math.max(settledAt, ledger.presence.heldUntil(before.sessionId, tx.now, deliver_after));
  tellRoutes(ledger, tx, before, { text, role: "idle", dueAt });
}

/** Whether people are told already, or will be in a moment. */
function sayLater(
  ledger: Ledger,
  tx: Transaction,
  { sessionId }: SessionRow,
  text: string,
  isNew: boolean,
): boolean {
  const [latest] = ledger.store.deliveries.latestOf(sessionId, "idle");
  if (!latest) return false;
  if (latest.state === "waiting") return true;
  return isNew && latest.text === text && tx.now - latest.createdAt < SAME_TURN_MS;
}

/** Its words are known now: they stand in what is not posted yet, and that waits for nothing else. */
function hurry(ledger: Ledger, tx: Transaction, { sessionId }: SessionRow, text: string): void {
  const { deliveries, outbox } = ledger.store;
  const { deliver_after } = ledger.options.settings().prompts;
  const dueAt = ledger.presence.heldUntil(sessionId, tx.now, deliver_after);
  for (const { deliveryId, state } of deliveries.latestOf(sessionId, "idle")) {
    if (state !== "waiting") continue;
    deliveries.setText(deliveryId, text);
    outbox.hurry(deliveryId, dueAt);
    tx.tell({ kind: "outbox" });
  }
}
