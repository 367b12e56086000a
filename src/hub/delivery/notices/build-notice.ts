/** Builds what a delivery shows from the current state of the ledger. */
import type { PromptNotice } from "../../../sdk/channel.js";
import { assertInvariant } from "../../../model/errors.js";
import { asksApproval } from "../../../model/hidden.js";
import { LOCAL_IDENTITY, type Identity } from "../../../model/ids.js";
import type { Notice } from "../../../sdk/channel.js";
import type { DeliveryRow } from "../../store/tables/deliveries.js";
import type { PromptRow } from "../../store/tables/prompts.js";
import type { SessionRow } from "../../store/tables/sessions.js";
import type { Store } from "../../store/store.js";
import { addModeHint, omitReplyHint } from "./idle-text.js";
import { renderCommandButtons } from "./command-buttons.js";
import { renderClearButtons } from "./clear-button.js";
import { renderRelayButtons } from "./relay-buttons.js";
import { renderPromptNotice, renderTextNotice } from "./notice.js";
import type { SafeText } from "./outcome-text.js";
import { getDisplayName, listApprovers, type People } from "../../people/people.js";
import { isAnswerableAt, type ConfiguredChannel } from "../../people/routing.js";

export interface NoticeParts {
  readonly store: Store;
  readonly safeText: SafeText;
  readonly configuredChannels: () => readonly ConfiguredChannel[];
  readonly expiryValue: (prompt: PromptRow) => string | null;
  readonly hostLabel: () => string | null;
  readonly peopleFor: (session: SessionRow, prompt: PromptRow | null) => People;
  readonly policyNote: (prompt: PromptRow) => string | null;
  readonly hintsAtAsking: () => boolean;
  readonly quiet: (prompt: PromptRow | null) => boolean;
}

export function buildNotice(parts: NoticeParts, delivery: DeliveryRow): Notice {
  if (delivery.text === null) return buildPromptNotice(parts, delivery);
  const session = parts.store.sessions.find(delivery.sessionId);
  assertInvariant(session, "a text without its session");
  // A reminder alerts those who may answer, because a prompt waits for them.
  const prompt = delivery.promptId === null ? null : parts.store.prompts.find(delivery.promptId);
  const quiet = parts.quiet(prompt) || isProgress(parts, delivery);
  const addressees = prompt === null || quiet ? [] : findAddressees(parts, delivery, session, prompt);
  const shown = delivery.role === "idle" ? finishIdleText(parts, delivery, session) : delivery.text;
  const text = renderTextNotice(
    { delivery: { ...delivery, text: shown }, session, addressees, quiet, host: parts.hostLabel() },
    parts.safeText,
  );
  const tokens = prompt === null ? parts.store.deliveries.listTokens(delivery) : [];
  const buttons = [
    ...renderRelayButtons(tokens),
    ...renderCommandButtons(tokens),
    ...renderClearButtons(tokens),
  ];
  return buttons.length === 0 ? text : { ...text, buttons };
}

/** It says that something is under way, and asks nothing of its reader. */
function isProgress({ store }: NoticeParts, { role, deliveryId }: DeliveryRow): boolean {
  if (role === "task") return store.tasks.findByDelivery(deliveryId)?.state !== "done";
  return role === "progress";
}

/** A session's first message in a chat says why it may stay the only one. */
function finishIdleText(parts: NoticeParts, delivery: DeliveryRow, session: SessionRow): string {
  const text = delivery.text ?? "";
  const said = acceptsText(parts, delivery) ? text : omitReplyHint(text);
  const isFirst = !parts.store.deliveries
    .listLatest(session.sessionId, "idle")
    .some((row) => row.deliveryId !== delivery.deliveryId && row.ref !== null && isSamePlace(row, delivery));
  return parts.hintsAtAsking() && session.capabilities.asksLittle && isFirst
    ? addModeHint(said, session.tool)
    : said;
}

function isSamePlace(one: DeliveryRow, other: DeliveryRow): boolean {
  return one.channel === other.channel && one.place === other.place;
}

export function buildPromptNotice(parts: NoticeParts, delivery: DeliveryRow): PromptNotice {
  const { store, safeText } = parts;
  const prompt = delivery.promptId === null ? null : store.prompts.find(delivery.promptId);
  const session = store.sessions.find(delivery.sessionId);
  assertInvariant(prompt && session, "a card without its prompt or session");
  const tokens = store.deliveries.listTokens(delivery);
  const quiet = parts.quiet(prompt);
  const addressees = quiet ? [] : findAddressees(parts, delivery, session, prompt);
  const expiryValue = parts.expiryValue(prompt);
  const onlyBy = listOtherApprovers(parts, delivery, session, prompt);
  const host = parts.hostLabel();
  const policyNote = parts.policyNote(prompt);
  const card = {
    delivery,
    prompt,
    session,
    tokens,
    addressees,
    quiet,
    expiryValue,
    onlyBy,
    host,
    policyNote,
    countOmitted: (notice: PromptNotice) => countOmitted(parts, notice, delivery.channel),
  };
  return renderPromptNotice({ ...card, acceptsWords: acceptsText(parts, delivery) }, safeText);
}

export function countOmitted(
  { configuredChannels }: NoticeParts,
  notice: PromptNotice,
  channel: string,
): number {
  const found = configuredChannels().find(({ id }) => id === channel)?.channel;
  return asksApproval(notice) ? (found?.countOmitted?.(notice) ?? 0) : 0;
}

function acceptsText({ configuredChannels }: NoticeParts, { channel }: DeliveryRow): boolean {
  return configuredChannels().find(({ id }) => id === channel)?.capabilities.freeText ?? true;
}

function listOtherApprovers(
  { configuredChannels, peopleFor }: NoticeParts,
  { channel, place }: DeliveryRow,
  session: SessionRow,
  prompt: PromptRow,
): readonly string[] | null {
  const people = peopleFor(session, prompt);
  const configuredChannel = configuredChannels().find(({ id }) => id === channel);
  if (isAnswerableAt(configuredChannel, place, people)) return null;
  const names = people.filter(({ role }) => role === "approver").map(({ name }) => name);
  const isLocalListed = people.some(({ identities }) => identities.includes(LOCAL_IDENTITY));
  return isLocalListed ? names : [...names, getDisplayName(LOCAL_IDENTITY)];
}

function findAddressees(
  { peopleFor }: NoticeParts,
  { channel }: DeliveryRow,
  session: SessionRow,
  prompt: PromptRow,
): Identity[] {
  return listApprovers(peopleFor(session, prompt), channel);
}
