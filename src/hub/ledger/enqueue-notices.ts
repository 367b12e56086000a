/** Plans the cards of a prompt (one per place) and plain texts, in the transaction of the step that they report. */
import { invariant } from "../../model/errors.js";
import { asId, type DeliveryId, type SessionId } from "../../model/ids.js";
import { ASK_AGAIN } from "../delivery/notices/ask-again.js";
import { fitButtons, TOKEN_BYTES } from "../delivery/notices/buttons.js";
import {
  isAnswerableAt,
  getPeopleFor,
  findRoutes,
  listSendingChannels,
  type DeliveryRoute,
} from "../people/routing.js";
import { PRIORITY } from "../store/tables/outbox.js";
import type { DeliveryRow } from "../store/tables/deliveries.js";
import type { PromptRow } from "../store/tables/prompts.js";
import type { SessionRow } from "../store/tables/sessions.js";
import type { Ledger, Transaction } from "./ledger.js";

export function enqueueNotices(ledger: Ledger, tx: Transaction, prompt: PromptRow): void {
  const settings = ledger.options.settings();
  const session = ledger.store.sessions.find(prompt.sessionId);
  invariant(session, "a prompt without its session");
  const dueAt = ledger.presence.computeHoldEnd(prompt.sessionId, tx.now, settings.prompts.deliver_after);
  for (const route of findRoutes(ledger.options.configuredChannels(), settings, session)) {
    const { promptId, sessionId } = prompt;
    const card = {
      ...createDelivery(ledger, tx, route.configuredChannel.id, route.place),
      promptId,
      sessionId,
      text: null,
      role: null,
    };
    ledger.store.deliveries.insert(card);
    if (
      prompt.answerable &&
      isAnswerableAt(route.configuredChannel, route.place, getPeopleFor(settings, session))
    )
      mintTokens(ledger, card, prompt, route);
    ledger.store.outbox.addDeliver(card.deliveryId, PRIORITY.prompt, dueAt);
    tx.emit({ kind: "outbox" });
    // Nobody here could read it. People who can see the terminal answer there.
    if (prompt.event.promptType === "unknown" && route.configuredChannel.capabilities.files)
      tx.emit({
        kind: "session_action",
        request: { action: "picture", sessionId, channel: route.configuredChannel.id, place: route.place },
      });
  }
}

/** Tokens identify card and choice and survive a new nonce, so that old buttons keep working after a refusal. */
function mintTokens(ledger: Ledger, card: DeliveryRow, prompt: PromptRow, route: DeliveryRoute): void {
  const { deliveryId } = card;
  const { capabilities } = route.configuredChannel;
  const again = capabilities.tokenBytesMax < TOKEN_BYTES ? [] : [ASK_AGAIN];
  [...fitButtons(prompt.event, capabilities), ...again].forEach(({ value }, position) => {
    const token = ledger.options.random.token();
    ledger.store.deliveries.insertToken({ token, deliveryId, position, value, acceptsHidden: null });
  });
}

/** Says that a session ended, everywhere it was seen, with low priority. `text` must be sanitized. */
export function enqueueAtSeenPlaces(
  ledger: Ledger,
  tx: Transaction,
  sessionId: SessionId,
  text: string,
): void {
  const places = ledger.store.deliveries.listPlaces(sessionId);
  enqueueTexts(
    ledger,
    tx,
    places,
    { promptId: null, sessionId, text, role: null },
    { priority: PRIORITY.aside },
  );
}

/**
 * Plans a text about a session at one place, from `dueAt` on or at once. `text` must be sanitized. Returns the delivery, or
 * null if nobody may read it there.
 */
export function enqueueAtPlace(
  ledger: Ledger,
  tx: Transaction,
  to: {
    readonly sessionId: SessionId;
    readonly channel: string;
    readonly place: string;
    readonly dueAt?: number;
  },
  text: string,
  role: DeliveryRow["role"] = null,
): DeliveryId | null {
  const about = { promptId: null, sessionId: to.sessionId, text, role };
  return enqueueTexts(ledger, tx, [to], about, { dueAt: to.dueAt ?? tx.now })[0] ?? null;
}

/**
 * Plans a text about a session at the places of its prompts, from `dueAt` on. `text` must be sanitized. `firstId` becomes the
 * id of the first delivery. Returns the number of deliveries.
 */
export function enqueueAtRoutes(
  ledger: Ledger,
  tx: Transaction,
  session: SessionRow,
  {
    text,
    role,
    dueAt,
    firstId,
  }: {
    readonly text: string;
    readonly role: DeliveryRow["role"];
    readonly dueAt: number;
    readonly firstId?: DeliveryId;
  },
): number {
  const routes = findRoutes(ledger.options.configuredChannels(), ledger.options.settings(), session);
  const places = routes.map(({ configuredChannel, place }) => ({ channel: configuredChannel.id, place }));
  const about = { promptId: null, sessionId: session.sessionId, text, role };
  return enqueueTexts(ledger, tx, places, about, { dueAt, firstId }).length;
}

/**
 * Plans a reminder wherever the prompt's card is, unless the prompt is settled first. A card that is still waiting needs no
 * reminder, and one reminder at a time is enough.
 */
export function enqueueReminders(ledger: Ledger, tx: Transaction, prompt: PromptRow, text: string): void {
  const { promptId, sessionId } = prompt;
  const { deliveries } = ledger.store;
  const cards = deliveries
    .listCards(promptId)
    .filter(({ twinOf, state }) => twinOf === null && state === "posted")
    .filter(({ channel, place }) => !deliveries.hasWaitingText(promptId, channel, place));
  enqueueTexts(ledger, tx, cards, { promptId, sessionId, text, role: null });
}

function enqueueTexts(
  ledger: Ledger,
  tx: Transaction,
  places: readonly { readonly channel: string; readonly place: string }[],
  about: Pick<DeliveryRow, "promptId" | "sessionId" | "text" | "role">,
  {
    dueAt = tx.now,
    priority = choosePriority(about.role),
    firstId,
  }: {
    readonly dueAt?: number;
    readonly priority?: number;
    readonly firstId?: DeliveryId | undefined;
  } = {},
): DeliveryId[] {
  const speaking = listSendingChannels(ledger.options.configuredChannels(), ledger.options.settings().people);
  return places
    .filter(({ channel }) => speaking.some(({ id }) => id === channel))
    .map(({ channel, place }, at) => {
      const fresh = createDelivery(ledger, tx, channel, place);
      const notice = {
        ...fresh,
        ...about,
        ...(at === 0 && firstId !== undefined && { deliveryId: firstId }),
      };
      ledger.store.deliveries.insert(notice);
      ledger.store.outbox.addDeliver(notice.deliveryId, priority, dueAt);
      tx.emit({ kind: "outbox" });
      return notice.deliveryId;
    });
}

/** Texts about idle or working tools are less urgent than those about an answer. */
function choosePriority(role: DeliveryRow["role"]): number {
  return role === "idle" || role === "progress" ? PRIORITY.aside : PRIORITY.text;
}

function createDelivery(
  ledger: Ledger,
  tx: Transaction,
  channel: string,
  place: string,
): Omit<DeliveryRow, "promptId" | "sessionId" | "text" | "role"> {
  const deliveryId = asId<DeliveryId>(ledger.options.random.uuid());
  return {
    deliveryId,
    channel,
    place,
    state: "waiting",
    ref: null,
    twinOf: null,
    createdAt: tx.now,
  };
}
