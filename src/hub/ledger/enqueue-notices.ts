/** Plans the cards of a prompt (one per place) and plain texts, in the transaction of the step that they report. */
import { assertInvariant } from "../../model/errors.js";
import { asId, type DeliveryId, type SessionId } from "../../model/ids.js";
import { ASK_AGAIN } from "../delivery/notices/ask-again.js";
import { setStep } from "../delivery/card-steps.js";
import { startSteps } from "../delivery/notices/form-steps.js";
import { fitButtons, TOKEN_BYTES } from "../delivery/notices/buttons.js";
import { insertGrant } from "../delivery/notices/grant-button.js";
import { isAnswerableAt, findRoutes, listSendingChannels, type DeliveryRoute } from "../people/routing.js";
import { PRIORITY } from "../store/tables/outbox.js";
import type { DeliveryRow } from "../store/tables/deliveries.js";
import type { PromptRow } from "../store/tables/prompts.js";
import type { SessionRow } from "../store/tables/sessions.js";
import type { Ledger, Transaction } from "./ledger.js";
import { findGrantable } from "./policy/grants.js";
import { getPeopleForPrompt, routePrompt } from "./policy/prompt-people.js";
import { isRelayPaused } from "../store/relay-pause.js";

/** A card at each place of the session's route that has none, unless its prompts are held back. False: none is planned. */
export function enqueueNotices(ledger: Ledger, tx: Transaction, prompt: PromptRow): boolean {
  const { store } = ledger;
  if (isRelayPaused(store, prompt.sessionId)) return false;
  const settings = ledger.options.settings();
  const session = ledger.store.sessions.find(prompt.sessionId);
  assertInvariant(session, "a prompt without its session");
  const dueAt = ledger.presence.computeHoldEnd(prompt.sessionId, tx.now, settings.prompts.deliver_after);
  const routes = findRoutes(ledger.options.configuredChannels(), settings, routePrompt(session, prompt));
  const cards = store.deliveries.listCards(prompt.promptId).filter(({ twinOf }) => twinOf === null);
  const dropped = cards.filter(isDropped);
  for (const card of dropped) planAgain(ledger, tx, card, dueAt);
  const missing = routes.filter(
    ({ configuredChannel: { id }, place }) =>
      !cards.some((card) => card.channel === id && card.place === place),
  );
  enqueueCards(ledger, tx, prompt, missing, dueAt);
  return dropped.length > 0 || missing.length > 0;
}

/** Whether it was given up before it was sent. */
function isDropped({ state, ref }: DeliveryRow): boolean {
  return state === "abandoned" && ref === null;
}

function planAgain({ store }: Ledger, tx: Transaction, { deliveryId }: DeliveryRow, dueAt: number): void {
  store.deliveries.setState(deliveryId, "waiting");
  store.outbox.addDeliver(deliveryId, PRIORITY.prompt, dueAt);
  tx.emit({ kind: "outbox" });
}

export function enqueueCards(
  ledger: Ledger,
  tx: Transaction,
  prompt: PromptRow,
  routes: readonly DeliveryRoute[],
  dueAt: number,
): void {
  const settings = ledger.options.settings();
  const session = ledger.store.sessions.find(prompt.sessionId);
  for (const route of routes) {
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
      isAnswerableAt(route.configuredChannel, route.place, getPeopleForPrompt(settings, session, prompt))
    )
      mintTokens(ledger, card, prompt, route);
    ledger.store.outbox.addDeliver(card.deliveryId, PRIORITY.prompt, dueAt);
    tx.emit({ kind: "outbox" });
    // No rule reads that screen, so people need its picture.
    if (prompt.event.promptType === "unknown" && route.configuredChannel.capabilities.files)
      tx.emit({
        kind: "session_action",
        request: { action: "picture", sessionId, channel: route.configuredChannel.id, place: route.place },
      });
  }
}

const MAY_ANSWER_TEXT = "⏫ You may answer now, too";
const MAY_NOT_ANSWER_TEXT = "⏬ You may not answer any more";

/** Makes these places able to answer. `wasClosed`: a card that had buttons once may be without them now. */
export function openCards(
  ledger: Ledger,
  tx: Transaction,
  prompt: PromptRow,
  routes: readonly DeliveryRoute[],
  wasClosed = false,
): void {
  const { deliveries } = ledger.store;
  if (isRelayPaused(ledger.store, prompt.sessionId)) return;
  for (const route of routes) {
    const card = findCard(ledger, prompt, route);
    if (card === undefined) {
      enqueueCards(ledger, tx, prompt, [route], tx.now);
      continue;
    }
    const isNew = deliveries.listTokens(card).length === 0;
    if (isNew) mintTokens(ledger, card, prompt, route);
    if (isDropped(card)) planAgain(ledger, tx, card, tx.now);
    else if (isNew || wasClosed) redrawCard(ledger, tx, card, MAY_ANSWER_TEXT);
  }
}

/** Takes the buttons from these places' cards, once nobody there may answer any more. */
export function closeCards(
  ledger: Ledger,
  tx: Transaction,
  prompt: PromptRow,
  routes: readonly DeliveryRoute[],
): void {
  for (const route of routes) {
    const card = findCard(ledger, prompt, route);
    if (card !== undefined) redrawCard(ledger, tx, card, MAY_NOT_ANSWER_TEXT);
  }
}

function findCard(
  { store }: Ledger,
  { promptId }: PromptRow,
  { configuredChannel, place }: DeliveryRoute,
): DeliveryRow | undefined {
  return store.deliveries
    .listCards(promptId)
    .find((each) => each.channel === configuredChannel.id && each.place === place && each.twinOf === null);
}

function redrawCard({ store }: Ledger, tx: Transaction, card: DeliveryRow, text: string): void {
  const outcome = { state: "refused", text, final: false } as const;
  if (card.state === "posted") store.outbox.addSettle(card.deliveryId, PRIORITY.edit, tx.now, outcome);
  tx.emit({ kind: "outbox" });
}

/** Tokens identify card and choice and survive a new nonce, so that old buttons keep working after a refusal. */
function mintTokens(ledger: Ledger, card: DeliveryRow, prompt: PromptRow, route: DeliveryRoute): void {
  const { deliveryId } = card;
  const { capabilities } = route.configuredChannel;
  const again = capabilities.tokenBytesMax < TOKEN_BYTES ? [] : [ASK_AGAIN];
  const step = again.length === 0 ? null : startSteps(prompt.event, capabilities);
  const answers = fitButtons(prompt.event, capabilities, step);
  const hasRoom = answers.length > 0 && answers.length < capabilities.buttonsMax;
  const shown = hasRoom && findGrantable(ledger, prompt).ok ? insertGrant(answers) : answers;
  [...shown, ...again].forEach(({ value }, position) => {
    const token = ledger.options.random.token();
    ledger.store.deliveries.insertToken({ token, deliveryId, position, value, acceptsHidden: null });
  });
  const { store, options } = ledger;
  if (step !== null) setStep({ store, random: options.random }, deliveryId, prompt.event, step);
}

/** Says that a session ended, everywhere it was seen, with low priority, from `dueAt` on. `text` must be sanitized. */
export function enqueueAtSeenPlaces(
  ledger: Ledger,
  tx: Transaction,
  {
    sessionId,
    text,
    dueAt,
  }: { readonly sessionId: SessionId; readonly text: string; readonly dueAt: number },
): void {
  const places = ledger.store.deliveries.listPlaces(sessionId);
  enqueueTexts(
    ledger,
    tx,
    places,
    { promptId: null, sessionId, text, role: null },
    { priority: PRIORITY.aside, dueAt },
  );
}

/** `text` must be sanitized. Null: nobody may read it there. */
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

/** `text` must be sanitized. `firstId` becomes the id of the first delivery. Returns the number of deliveries. */
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

/** At each place where the prompt's card is posted and no reminder waits already. */
export function enqueueReminders(ledger: Ledger, tx: Transaction, prompt: PromptRow, text: string): void {
  const { promptId, sessionId } = prompt;
  const { deliveries } = ledger.store;
  const cards = deliveries
    .listCards(promptId)
    .filter(({ twinOf, state }) => twinOf === null && state === "posted")
    .filter(({ channel, place }) => !deliveries.hasWaitingText(promptId, channel, place));
  enqueueTexts(ledger, tx, cards, { promptId, sessionId, text, role: null });
}

/** A message that was not sent yet, and that nobody needs any more. */
export function dropNotice(ledger: Ledger, tx: Transaction, row: DeliveryRow): void {
  const { deliveryId, sessionId, promptId, channel, place } = row;
  ledger.store.outbox.drop(deliveryId);
  ledger.store.deliveries.setState(deliveryId, "abandoned");
  const details = { channel, place, deliveryId, reason: "closed" };
  tx.record({ step: "card_abandoned", sessionId, promptId, details });
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
  const sending = listSendingChannels(ledger.options.configuredChannels(), ledger.options.settings().people);
  return places
    .filter((to) => sending.some((each) => each.id === to.channel && each.places.includes(to.place)))
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
