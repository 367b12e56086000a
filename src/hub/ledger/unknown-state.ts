/** Says of a session that nothing newer than its last known state can be known now. */
import type { Ledger } from "./ledger.js";
import type { SessionRow } from "../store/tables/sessions.js";

export function explainUnknownState(
  { options }: Ledger,
  { sessionId, pid, toolState }: SessionRow,
): string | null {
  if (options.processStopped(pid)) return "stopped at its terminal";
  // This state says itself why no connection is to be expected.
  if (toolState === "not_relayed") return null;
  return options.isConnected(sessionId) ? null : "not connected";
}
