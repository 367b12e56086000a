/** Builds what a delivery shows from the current state of the ledger. */
import type { PromptNotice } from "../../../sdk/channel.js";
import { invariant } from "../../../model/errors.js";
import type { Identity } from "../../../model/ids.js";
import type { Notice } from "../../../sdk/channel.js";
import type { DeliveryRow } from "../../store/tables/deliveries.js";
import type { PromptRow } from "../../store/tables/prompts.js";
import type { SessionRow } from "../../store/tables/sessions.js";
import type { Store } from "../../store/store.js";
import { omitReplyHint } from "./idle-text.js";
import { renderPromptNotice, renderTextNotice } from "./notice.js";
import type { SafeText } from "./outcome-text.js";
import { listApprovers } from "../../people/people.js";
import {
  isAnswerableAt,
  getPeopleFor,
  type RouteSettings,
  type ConfiguredChannel,
} from "../../people/routing.js";

export interface NoticeParts {
  readonly store: Store;
  readonly safeText: SafeText;
  readonly settings: () => RouteSettings;
  readonly configuredChannels: () => readonly ConfiguredChannel[];
  /** The value given at the prompt's deadline if nobody answers; null: none. */
  readonly expiryValue: (prompt: PromptRow) => string | null;
  /** Whether notifications are silent now (quiet hours). */
  readonly quiet: () => boolean;
}

export function buildNotice(parts: NoticeParts, delivery: DeliveryRow): Notice {
  if (delivery.text === null) return buildPromptNotice(parts, delivery);
  const session = parts.store.sessions.find(delivery.sessionId);
  invariant(session, "a text without its session");
  // A reminder must ring because a prompt waits for it; other texts only inform.
  const quiet = parts.quiet();
  const addressees = delivery.promptId === null || quiet ? [] : findAddressees(parts, delivery, session);
  const isSilent = delivery.role === "idle" && !acceptsText(parts, delivery);
  const shown = isSilent ? { ...delivery, text: omitReplyHint(delivery.text) } : delivery;
  return renderTextNotice({ delivery: shown, session, addressees, quiet }, parts.safeText);
}

export function buildPromptNotice(parts: NoticeParts, delivery: DeliveryRow): PromptNotice {
  const { store, safeText } = parts;
  const prompt = delivery.promptId === null ? null : store.prompts.find(delivery.promptId);
  const session = store.sessions.find(delivery.sessionId);
  invariant(prompt && session, "a card without its prompt or session");
  const tokens = store.deliveries.listTokens(delivery);
  const quiet = parts.quiet();
  const addressees = quiet ? [] : findAddressees(parts, delivery, session);
  const expiryValue = parts.expiryValue(prompt);
  const onlyBy = listOtherApprovers(parts, delivery, session);
  const card = { delivery, prompt, session, tokens, addressees, quiet, expiryValue, onlyBy };
  return renderPromptNotice({ ...card, takesWords: acceptsText(parts, delivery) }, safeText);
}

function acceptsText({ configuredChannels }: NoticeParts, { channel }: DeliveryRow): boolean {
  return configuredChannels().find(({ id }) => id === channel)?.capabilities.freeText ?? true;
}

/** Names of the approvers, if the chat's only reader may not answer; null if the prompt can be answered there. */
function listOtherApprovers(
  { configuredChannels, settings }: NoticeParts,
  { channel, place }: DeliveryRow,
  session: SessionRow,
): readonly string[] | null {
  const people = getPeopleFor(settings(), session);
  const configuredChannel = configuredChannels().find(({ id }) => id === channel);
  if (isAnswerableAt(configuredChannel, place, people)) return null;
  return people.filter(({ role }) => role === "approver").map(({ name }) => name);
}

function findAddressees(
  { settings }: NoticeParts,
  { channel }: DeliveryRow,
  session: SessionRow,
): Identity[] {
  return listApprovers(getPeopleFor(settings(), session), channel);
}
