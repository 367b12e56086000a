/** A session whose screen cannot be followed: its people are told, because no card comes from there until it can be. */
import type { SessionId } from "../../model/ids.js";
import type { SessionRow } from "../store/sessions.js";
import { tellRoutes } from "./deal-cards.js";
import type { Ledger, Transaction } from "./ledger.js";

/** A tool may draw so that its screen is lost and found again every second; people are told once in so long. */
export const SCREEN_LOST_AGAIN_MS = 10 * 60_000;

export class LostScreens {
  readonly #toldAt = new Map<SessionId, number>();

  /** True at most once in `SCREEN_LOST_AGAIN_MS` for each session. */
  mayTell(sessionId: SessionId, now: number): boolean {
    if (now - (this.#toldAt.get(sessionId) ?? -Infinity) < SCREEN_LOST_AGAIN_MS) return false;
    this.#toldAt.set(sessionId, now);
    return true;
  }

  forget(sessionId: SessionId): void {
    this.#toldAt.delete(sessionId);
  }
}

/** `before`: the session's row until now. Inside the transaction of the news. */
export function sayScreenLost(ledger: Ledger, tx: Transaction, before: SessionRow): void {
  const { sessionId, tool, label, toolState, closedAt } = before;
  if (toolState === "screen_lost" || closedAt !== null) return;
  if (!ledger.lostScreens.mayTell(sessionId, tx.now)) return;
  tx.record({ step: "screen_lost", sessionId, details: {} });
  const name = ledger.options.safeText(label === null ? tool : `${tool} (${label})`);
  const text = `🙈 ${name}: what it draws cannot be followed now. Until its screen is drawn anew, its terminal alone shows what it asks.`;
  tellRoutes(ledger, tx, before, { text, role: null, dueAt: tx.now });
}
