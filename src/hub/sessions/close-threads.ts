/** Closes the threads of a session that ended without a message, at the services that can close them. Best effort. */
import type { SessionId } from "../../model/ids.js";
import { renderSession } from "../delivery/notices/notice.js";
import type { Ledger } from "../ledger/ledger.js";

export function closeThreads(ledger: Ledger, sessionId: SessionId): void {
  const { store, options } = ledger;
  const row = store.sessions.find(sessionId);
  if (!row) return;
  const session = renderSession(row, options.safeText, ledger.hostLabel);
  for (const { channel, place } of store.deliveries.listPlaces(sessionId)) {
    const service = options.configuredChannels().find(({ id }) => id === channel)?.channel;
    service?.closeThread?.(place, session).catch((error: unknown) => {
      options.log("warn", "a session's thread was not closed", { channel, error: String(error) });
    });
  }
}
