/** Renders the rows of the ledger as a notice, at the moment it is sent. Pure. */
import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { labelAcceptance } from "../../../model/hidden.js";
import type { Choice, PromptContent, PromptEvent } from "../../../model/prompt.js";
import type { Identity } from "../../../model/ids.js";
import type { Notice, NoticeButton, NoticeSession, NoticeStep, PromptNotice } from "../../../sdk/channel.js";
import { mapStrings } from "../../../model/data/map-strings.js";
import { abbreviateHome, shortenFolder } from "../../../model/data/short-folder.js";
import { formatCanonicalJson } from "../../audit/canonical.js";
import type { DeliveryRow, TokenRow } from "../../store/tables/deliveries.js";
import type { PromptRow } from "../../store/tables/prompts.js";
import { isUnreadable, UNKNOWN_QUESTION } from "../../store/unreadable-rows.js";
import type { SessionRow } from "../../store/tables/sessions.js";
import { planButtons } from "./buttons.js";
import { describeStep, findShownStep, type FormStep } from "./form-steps.js";
import { insertGrant } from "./grant-button.js";
import { describeAnswer, type SafeText } from "./outcome-text.js";
import { findShownEnd, isRefusedLate } from "./shown-end.js";
import { splitBlock } from "./text-block.js";

export interface NoticeMessage {
  readonly delivery: DeliveryRow;
  readonly session: SessionRow;
  readonly addressees: readonly Identity[];
  readonly quiet: boolean;
  readonly host: string | null;
}

export interface CardParts extends NoticeMessage {
  readonly expiryValue: string | null;
  /** Names of the approvers, if no reader of the chat may answer; null if it can be answered there. */
  readonly onlyBy: readonly string[] | null;
  readonly policyNote: string | null;
  readonly acceptsWords: boolean;
  readonly prompt: PromptRow;
  readonly tokens: readonly TokenRow[];
  readonly countOmitted: (notice: PromptNotice) => number;
}

/** Renders a card. Every string in it went through `safeText`. */
export function renderPromptNotice(card: CardParts, safeText: SafeText): PromptNotice {
  const { delivery, prompt, addressees } = card;
  const event = sanitizeEvent(prompt.event, safeText);
  const isAnswerable = card.onlyBy === null && prompt.answerable;
  const step = isAnswerable ? findStep(card) : null;
  const notice: PromptNotice = {
    kind: "prompt",
    screenView: card.session.capabilities.screenView && prompt.event.promptType !== "secret",
    deliveryId: delivery.deliveryId,
    place: delivery.place,
    promptId: prompt.promptId,
    shortId: prompt.shortId,
    session: {
      ...renderSession(card.session, safeText, card.host),
      // The names that a short form leaves out may be all that tells two sessions apart.
      place: safeText(abbreviateHome(card.session.cwd, homedir())),
    },
    promptType: event.promptType,
    safetyClass: event.safetyClass,
    confidence: event.confidence,
    question: isUnreadable(event) ? UNKNOWN_QUESTION : event.excerpt,
    content: event.content,
    choices: event.choices,
    multi: event.constraints.multi ?? false,
    lettered: event.constraints.lettered ?? false,
    form: mapStrings(event.constraints.form ?? null, safeText) as Extract<Notice, { kind: "prompt" }>["form"],
    defaultChoice: event.defaultChoice,
    ...(step === null ? {} : { step: mapStrings(describeStep(prompt.event, step), safeText) as NoticeStep }),
    buttons: card.onlyBy === null ? renderButtons(card, step, safeText) : [],
    ...(card.onlyBy === null ? {} : { onlyBy: card.onlyBy }),
    acceptsText: card.acceptsWords && isAnswerable && event.constraints.localOnly !== true,
    expiresAt: findShownEnd(prompt),
    ...renderExpiry(card, safeText),
    ...(card.policyNote === null ? {} : { policyNote: safeText(card.policyNote) }),
    addressees,
    quiet: card.quiet,
  };
  return { ...notice, buttons: replaceAccepting(card, notice) };
}

function findStep({ prompt, tokens }: CardParts): FormStep | null {
  const values = tokens.map(({ value }) => value);
  return findShownStep(prompt.event, values);
}

/** Quotes the label, because it is the tool's text and not ours. */
function renderExpiry(
  { prompt, expiryValue }: CardParts,
  safeText: SafeText,
): Pick<Extract<Notice, { kind: "prompt" }>, "expiryAnswer" | "refusedLate"> {
  if (isRefusedLate(prompt)) return { refusedLate: true };
  if (expiryValue === null || prompt.deadlineAt === null) return {};
  return { expiryAnswer: describeAnswer(prompt.event, expiryValue, safeText) };
}

/** SHA-256 of everything a person sees of a notice: an approval covers exactly these words and buttons. */
export function hashShown(notice: Notice): string {
  const { kind, session } = notice;
  const shown =
    kind === "text"
      ? { kind, session, text: notice.text, ...(notice.buttons && { buttons: listLabels(notice.buttons) }) }
      : listShown(notice);
  return createHash("sha256").update(formatCanonicalJson(shown)).digest("hex");
}

function listShown(notice: Extract<Notice, { kind: "prompt" }>): object {
  const {
    kind,
    session,
    shortId,
    question,
    content,
    choices,
    buttons,
    multi,
    form,
    expiresAt,
    expiryAnswer,
    refusedLate,
    policyNote,
    onlyBy,
    step,
    lateMs,
  } = notice;
  return {
    kind,
    session,
    shortId,
    question,
    content,
    choices,
    buttons: listLabels(buttons),
    multi,
    lettered: notice.lettered || undefined,
    form,
    expiresAt,
    expiryAnswer,
    refusedLate,
    policyNote,
    onlyBy,
    step,
    lateMs,
  };
}

function listLabels(buttons: readonly NoticeButton[]): object[] {
  return buttons.map(({ choice, value }) => ({ choice, value }));
}

export function renderTextNotice(
  { delivery, session, addressees, quiet, host }: NoticeMessage,
  safeText: SafeText,
): Extract<Notice, { kind: "text" }> {
  const { deliveryId, place } = delivery;
  const shown = renderSession(session, safeText, host);
  const words = delivery.text ?? "";
  const text = shown.host === undefined || words === "" ? words : `${shown.host} · ${words}`;
  return { kind: "text", deliveryId, place, session: shown, ...splitBlock(text), addressees, quiet };
}

function renderButtons(
  { prompt: { event }, tokens }: CardParts,
  step: FormStep | null,
  safeText: SafeText,
): NoticeButton[] {
  // Planned from the original prompt: a form's values contain its labels.
  const plans = insertGrant(planButtons(event, step)).map(({ value, choice }) => ({
    value,
    choice: sanitizeChoice(choice, safeText),
  }));
  return plans.flatMap(({ value, choice }) => {
    const token = tokens.find((known) => known.value === value && known.acceptsHidden === null)?.token;
    return token === undefined ? [] : [{ token, choice, value }];
  });
}

/**
 * The buttons of a card. If one was pressed although part of the prompt is hidden or not on the card, a second button that says so
 * replaces it while the prompt keeps the nonce it was made for.
 */
function replaceAccepting(
  { prompt: { event, nonceHash }, tokens, countOmitted }: CardParts,
  notice: PromptNotice,
): readonly NoticeButton[] {
  const second = tokens.filter(({ acceptsHidden }) => acceptsHidden !== null && acceptsHidden === nonceHash);
  const unshown = second.length === 0 ? 0 : countOmitted(notice);
  return notice.buttons.map((button) => {
    const accepting = second.find(({ value }) => value === button.value);
    if (accepting === undefined) return button;
    const label = labelAcceptance(button.choice.label, event.content.hidden, unshown);
    return { ...button, token: accepting.token, choice: { ...button.choice, label } };
  });
}

function sanitizeKeys(
  constraints: PromptEvent["constraints"],
  safeText: SafeText,
): PromptEvent["constraints"] {
  const keys = constraints.keys?.map((key) =>
    key.does === undefined ? key : { ...key, does: safeText(key.does) },
  );
  return keys ? { ...constraints, keys } : constraints;
}

export function sanitizeEvent(event: PromptEvent, safeText: SafeText): PromptEvent {
  return {
    ...event,
    excerpt: safeText(event.excerpt),
    content: mapStrings(event.content, safeText) as PromptContent,
    constraints: sanitizeKeys(event.constraints, safeText),
    choices: event.choices.map((choice) => sanitizeChoice(choice, safeText)),
  };
}

function sanitizeChoice(choice: Choice, safeText: SafeText): Choice {
  return {
    ...choice,
    label: safeText(choice.label),
    ...(choice.detail === undefined ? {} : { detail: safeText(choice.detail) }),
  };
}

export function renderSession(session: SessionRow, safeText: SafeText, host: string | null): NoticeSession {
  const inside = session.inside === null ? null : "inside another session";
  const label = [session.label, inside].filter((part) => part !== null).join(", ");
  return {
    sessionId: session.sessionId,
    tool: safeText(session.tool),
    label: label === "" ? null : safeText(label),
    place: safeText(shortenFolder(session.cwd, homedir())),
    ...(host !== null && { host: safeText(host) }),
    ...(session.capabilities.underTool === true && { underTool: true }),
    ended: session.closedAt !== null,
  };
}
