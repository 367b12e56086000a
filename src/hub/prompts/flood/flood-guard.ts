/**
 * The guard against a session that raises too many prompts: nobody can read so many cards, and taps on them are blind. Its
 * further prompts are only recorded, until people decide whether it continues. No rule and no grant lifts this.
 */
import { formatDuration } from "../../delivery/notices/span.js";
import { encodeRelayWish } from "../../delivery/notices/relay-buttons.js";
import { TOKEN_BYTES } from "../../delivery/notices/buttons.js";
import type { Identity } from "../../../model/ids.js";
import { findRoutes } from "../../people/routing.js";
import { PRIORITY } from "../../store/tables/outbox.js";
import type { PromptRow } from "../../store/tables/prompts.js";
import type { SessionRow } from "../../store/tables/sessions.js";
import { enqueueAtPlace, enqueueNotices } from "../../ledger/enqueue-notices.js";
import type { Ledger, Transaction } from "../../ledger/ledger.js";
import { readRelayState, writeRelayState } from "../../store/relay-pause.js";
import { openEscalatedCards } from "../rules/escalation.js";
import { offerButton } from "../../ledger/offer-button.js";

const WINDOW_MS = 60_000;

/** Called before a prompt is stored. Whether its session's prompts are held back, perhaps from this one on. */
export function guardAgainstFlood(ledger: Ledger, tx: Transaction, session: SessionRow): boolean {
  const { store, options } = ledger;
  const { sessionId } = session;
  const state = readRelayState(store, sessionId);
  if (state?.isPaused === true) return true;
  const limit = options.settings().prompts.flood_limit;
  if (limit === 0) return false;
  // The clock may have been set back since.
  const goesOnSince = state === null || state.since > tx.now ? 0 : state.since;
  const recent = store.prompts.countRaised(sessionId, Math.max(goesOnSince, tx.now - WINDOW_MS), tx.now);
  if (recent < limit) return false;
  pauseRelay(ledger, tx, session, recent + 1);
  return true;
}

function pauseRelay(ledger: Ledger, tx: Transaction, session: SessionRow, prompts: number): void {
  const { store, options } = ledger;
  const { sessionId, tool, label } = session;
  const name = label ?? tool;
  const text = [
    `⏸ ${name} raised ${prompts} prompts within ${formatDuration(WINDOW_MS)}. From now on they are not sent here, and no rule answers them.`,
    "They wait where they are asked, for as long as the tool waits and until they expire; `prompts` lists them.",
    `Deny all and stop it, or go on? In writing: deny all ${name}, or: resume ${name}`,
  ];
  const notices = findRoutes(options.configuredChannels(), options.settings(), session).flatMap(
    ({ configuredChannel, place }) => {
      const to = { sessionId, channel: configuredChannel.id, place };
      const deliveryId = enqueueAtPlace(ledger, tx, to, options.safeText(text.join("\n")));
      if (deliveryId === null) return [];
      const { tokenBytesMax, buttonsMax } = configuredChannel.capabilities;
      const wishes = tokenBytesMax < TOKEN_BYTES || buttonsMax < 2 ? [] : (["deny_all", "go_on"] as const);
      for (const wish of wishes) offerButton(ledger, { deliveryId, twinOf: null }, encodeRelayWish(wish));
      return [deliveryId];
    },
  );
  writeRelayState(store, sessionId, { isPaused: true, since: tx.now, notices });
  tx.record({ step: "relay_paused", sessionId, details: { prompts, withinMs: WINDOW_MS } });
  tx.emit({ kind: "relay", sessionId });
  tx.emit({ kind: "overview" });
}

/** Sends the prompts that were held back, and relays new ones again. Returns how many follow; null if nothing was held back. */
export function resumeRelay(
  ledger: Ledger,
  tx: Transaction,
  session: SessionRow,
  by: { readonly identity: Identity; readonly name: string },
): number | null {
  const { sessionId } = session;
  const state = readRelayState(ledger.store, sessionId);
  if (state?.isPaused !== true) return null;
  closeRelayNotices(ledger, tx, session, `▶️ Goes on, by ${by.name}`);
  writeRelayState(ledger.store, sessionId, { isPaused: false, since: tx.now, notices: [] });
  tx.record({ step: "relay_resumed", sessionId, identity: by.identity });
  const waiting = ledger.store.prompts
    .listOpenInSession(sessionId)
    .filter(({ state }) => state === "pending")
    .filter((prompt) => sendCards(ledger, tx, prompt));
  tx.emit({ kind: "relay", sessionId });
  tx.emit({ kind: "overview" });
  return waiting.length;
}

function sendCards(ledger: Ledger, tx: Transaction, prompt: PromptRow): boolean {
  const sent = enqueueNotices(ledger, tx, prompt);
  if (prompt.reminders > 0) openEscalatedCards(ledger, tx, { ...prompt, reminders: 0 }, prompt);
  return sent;
}

/** The messages show the decision. Their buttons disappear, except those in `keeps`. */
export function closeRelayNotices(
  ledger: Ledger,
  tx: Transaction,
  { sessionId }: SessionRow,
  words: string,
  keeps: readonly ("deny_all" | "go_on")[] = [],
): void {
  const { store, options } = ledger;
  for (const deliveryId of readRelayState(store, sessionId)?.notices ?? []) {
    const hadButtons = store.deliveries.listTokens({ deliveryId, twinOf: null }).length > 0;
    store.deliveries.dropTokens(deliveryId);
    if (hadButtons)
      for (const wish of keeps) offerButton(ledger, { deliveryId, twinOf: null }, encodeRelayWish(wish));
    const outcome = { state: "withdrawn", text: options.safeText(words), final: true } as const;
    store.outbox.addSettle(deliveryId, PRIORITY.settleByTap, tx.now, outcome);
    tx.emit({ kind: "outbox" });
  }
}
