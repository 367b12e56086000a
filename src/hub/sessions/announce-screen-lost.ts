import type { SessionRow } from "../store/tables/sessions.js";
import { enqueueAtRoutes } from "../ledger/enqueue-notices.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";

/** `before`: the session's row until now. Runs inside the transaction of the event. */
export function announceScreenLost(ledger: Ledger, tx: Transaction, before: SessionRow): void {
  const { sessionId, tool, label, toolState, closedAt } = before;
  if (toolState === "screen_lost" || closedAt !== null) return;
  if (!ledger.lostScreens.shouldNotify(sessionId, ledger.options.clock.monotonic())) return;
  tx.record({ step: "screen_lost", sessionId, details: {} });
  const name = ledger.options.safeText(label === null ? tool : `${tool} (${label})`);
  const text = `🙈 ${name}: its screen can no longer be read. Until it is redrawn, prompts show only in its terminal.`;
  enqueueAtRoutes(ledger, tx, before, { text, role: null, dueAt: tx.now });
}
