/** What a channel may read from the ledger (`ChannelHost`): its own settings, its own open cards and an overview. */
import type { PromptNotice } from "../../sdk/channel.js";
import { isOpen } from "../../model/lifecycle.js";
import type { Identity } from "../../model/ids.js";
import type { ChannelHost, Overview } from "../../sdk/channel.js";
import { renderSession } from "../delivery/notices/notice.js";
import { buildPromptNotice } from "../delivery/notices/build-notice.js";
import { getChannel, findMembership } from "../people/people.js";
import type { Ledger } from "../ledger/ledger.js";
import { createNoticeParts } from "../prompts/notice-parts.js";
import { isPaused } from "../ledger/pause.js";
import { explainNoOpenPrompts } from "../sessions/unanswered-prompts.js";
import { explainUnknownState } from "../ledger/unknown-state.js";

export type PlaceReports = Pick<ChannelHost, "wrote" | "reportPlace">;
export type LedgerHost = PlaceReports &
  Pick<ChannelHost, "getSetting" | "setSetting" | "openNotice" | "knows" | "overview">;

export function createLedgerHost(ledger: Ledger, channel: string, places: PlaceReports): LedgerHost {
  const { store } = ledger;
  return {
    ...places,
    getSetting: (key) => store.settings.get(channel, key),
    setSetting: (key, value) => store.write(() => store.settings.set(channel, key, value)),
    openNotice: (deliveryId) => findOpenNotice(ledger, channel, deliveryId),
    knows: (deliveryId) => store.deliveries.find(deliveryId)?.channel === channel,
    overview: (identity) => buildOverview(ledger, channel, identity),
  };
}

function findOpenNotice(ledger: Ledger, channel: string, deliveryId: string): PromptNotice | null {
  const { store } = ledger;
  const delivery = store.deliveries.find(deliveryId);
  if (delivery?.channel !== channel || delivery.promptId === null || delivery.text !== null) return null;
  const prompt = store.prompts.find(delivery.promptId);
  if (!prompt || !isOpen(prompt.state)) return null;
  return buildPromptNotice(
    createNoticeParts(ledger, () => false),
    delivery,
  );
}

function buildOverview(ledger: Ledger, channel: string, identity: Identity): Overview | null {
  const { safeText, settings } = ledger.options;
  if (getChannel(identity) !== channel || !findMembership(settings().people, identity)) return null;
  const { prompts, sessions } = ledger.store;
  const rows = sessions.listOpen();
  const shown = new Map(rows.map((row) => [row.sessionId, renderSession(row, safeText, ledger.hostLabel)]));
  return {
    paused: isPaused(ledger),
    prompts: prompts
      .listOpen()
      .filter(({ state }) => state === "pending")
      .flatMap(({ shortId, sessionId, event, createdAt }) => {
        const session = shown.get(sessionId);
        return session ? [{ shortId, session, question: safeText(event.excerpt), askedAt: createdAt }] : [];
      }),
    ifNone: prompts.countOpen() > 0 ? "An answer is on its way." : explainNoOpenPrompts(ledger),
    sessions: rows.flatMap((row) => {
      const session = shown.get(row.sessionId);
      const openPrompts = prompts.countOpenInSession(row.sessionId);
      return session
        ? [{ session, state: explainUnknownState(ledger, row) ?? row.toolState, openPrompts }]
        : [];
    }),
  };
}
