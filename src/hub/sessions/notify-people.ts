/** Sends a tool's notice to the places of its prompts. It asks for nothing. */
import type { DeliveryId, SessionId } from "../../model/ids.js";
import type { SessionRow } from "../store/tables/sessions.js";
import { enqueueAtRoutes } from "../ledger/enqueue-notices.js";
import type { Ledger } from "../ledger/ledger.js";
import { createRefusedError } from "../ledger/refused-error.js";

/** Returns the session. Idempotent: the notice's id is that of its first delivery. Errors: ATB_HUB_REFUSED. */
export function notifyPeople(
  ledger: Ledger,
  sessionId: SessionId,
  noticeId: DeliveryId,
  words: string,
): SessionRow {
  return ledger.commit((tx) => {
    const session = ledger.store.sessions.find(sessionId);
    if (session?.closedAt !== null) throw createRefusedError("the session of the notice is not open");
    const known = ledger.store.deliveries.find(noticeId);
    if (known) {
      if (known.sessionId === sessionId) return session;
      throw createRefusedError("the notice id is already in use");
    }
    const { tool, label } = session;
    const name = label === null ? tool : `${tool} (${label})`;
    // Each line is quoted, so that none looks like an answer or a card.
    const text = ledger.options.safeText(`📣 ${name}: ${words}`).replaceAll("\n", "\n> ");
    const places = enqueueAtRoutes(ledger, tx, session, {
      text,
      role: null,
      dueAt: tx.now,
      firstId: noticeId,
    });
    tx.record({ step: "notice_told", sessionId, details: { noticeId, places, length: words.length } });
    return session;
  });
}
