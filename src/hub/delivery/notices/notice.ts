/** Renders the rows of the ledger as a notice, at the moment it is sent. Pure. */
import { createHash } from "node:crypto";
import type { Hidden, PromptContent, PromptEvent } from "../../../model/prompt.js";
import type { Identity } from "../../../model/ids.js";
import type { Notice, NoticeButton, NoticeSession } from "../../../sdk/channel.js";
import { mapStrings } from "../../../model/data/map-strings.js";
import { canonicalJson } from "../../audit/canonical.js";
import type { DeliveryRow, TokenRow } from "../../store/tables/deliveries.js";
import type { PromptRow } from "../../store/tables/prompts.js";
import type { SessionRow } from "../../store/tables/sessions.js";
import { planButtons } from "./buttons.js";
import { describeAnswer, type SafeText } from "./outcome-text.js";
import { findShownEnd } from "./shown-end.js";
import { splitBlock } from "./text-block.js";

export interface NoticeMessage {
  readonly delivery: DeliveryRow;
  readonly session: SessionRow;
  readonly addressees: readonly Identity[];
  readonly quiet: boolean;
}

export interface CardParts extends NoticeMessage {
  /** The value given at the deadline if nobody answers. */
  readonly expiryValue: string | null;
  /** Names of the approvers, if no reader of the chat may answer; null if it can be answered there. */
  readonly onlyBy: readonly string[] | null;
  /** Whether the channel accepts text from people. */
  readonly takesWords: boolean;
  readonly prompt: PromptRow;
  readonly tokens: readonly TokenRow[];
}

/** Renders a card. Every string in it went through `safeText`. */
export function renderPromptNotice(card: CardParts, safeText: SafeText): Extract<Notice, { kind: "prompt" }> {
  const { delivery, prompt, addressees } = card;
  const event = sanitizeEvent(prompt.event, safeText);
  const isAnswerable = card.onlyBy === null && prompt.answerable;
  return {
    kind: "prompt",
    screenView: card.session.capabilities.screenView && prompt.event.promptType !== "secret",
    deliveryId: delivery.deliveryId,
    place: delivery.place,
    promptId: prompt.promptId,
    shortId: prompt.shortId,
    session: renderSession(card.session, safeText),
    promptType: event.promptType,
    safetyClass: event.safetyClass,
    confidence: event.confidence,
    question: event.excerpt,
    content: event.content,
    choices: event.choices,
    multi: event.constraints.multi ?? false,
    lettered: event.constraints.lettered ?? false,
    form: mapStrings(event.constraints.form ?? null, safeText) as Extract<Notice, { kind: "prompt" }>["form"],
    defaultChoice: event.defaultChoice,
    buttons: card.onlyBy === null ? renderButtons(event, card.tokens, prompt.nonceHash) : [],
    ...(card.onlyBy === null ? {} : { onlyBy: card.onlyBy }),
    acceptsText: card.takesWords && isAnswerable && event.constraints.localOnly !== true,
    expiresAt: findShownEnd(prompt),
    ...renderExpiry(card, safeText),
    addressees,
    quiet: card.quiet,
  };
}

/** Quotes the label, because it is the tool's text and not ours. */
function renderExpiry({ prompt, expiryValue }: CardParts, safeText: SafeText): { expiryAnswer?: string } {
  if (expiryValue === null || prompt.deadlineAt === null) return {};
  return { expiryAnswer: describeAnswer(prompt.event, expiryValue, safeText) };
}

/** SHA-256 of everything a person sees of a notice: an approval covers exactly these words and buttons. */
export function hashShown(notice: Notice): string {
  const { kind, session } = notice;
  const shown = kind === "text" ? { kind, session, text: notice.text } : listShown(notice);
  return createHash("sha256").update(canonicalJson(shown)).digest("hex");
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
    onlyBy,
  } = notice;
  const labels = buttons.map(({ choice, value }) => ({ choice, value }));
  const names = notice.lettered ? { lettered: true } : {};
  return {
    kind,
    session,
    shortId,
    question,
    content,
    choices,
    buttons: labels,
    multi,
    form,
    expiresAt,
    ...names,
    ...(onlyBy === undefined ? {} : { onlyBy }),
    ...(expiryAnswer === undefined ? {} : { expiryAnswer }),
  };
}

/** Renders a text. It was sanitized when it was stored. */
export function renderTextNotice(
  { delivery, session, addressees, quiet }: NoticeMessage,
  safeText: SafeText,
): Notice {
  const { deliveryId, place, text } = delivery;
  const shown = renderSession(session, safeText);
  return { kind: "text", deliveryId, place, session: shown, ...splitBlock(text ?? ""), addressees, quiet };
}

/**
 * The buttons of a card; `event` is already sanitized. If a button was pressed although part of the prompt is hidden, a second
 * button that says so replaces it while the prompt keeps the nonce it was made for.
 */
export function renderButtons(
  event: PromptEvent,
  tokens: readonly TokenRow[],
  nonceHash: string | null,
): NoticeButton[] {
  const plans = planButtons(event);
  const second = tokens.filter(({ acceptsHidden }) => acceptsHidden !== null && acceptsHidden === nonceHash);
  return tokens
    .filter(({ acceptsHidden }) => acceptsHidden === null)
    .flatMap(({ token, value }) => {
      const plan = plans.find((candidate) => candidate.value === value);
      if (!plan) return [];
      const accepting = second.find((candidate) => candidate.value === value);
      if (!accepting) return [{ token, choice: plan.choice, value }];
      const label = labelHiddenApproval(plan.choice.label, event.content.hidden);
      return [{ token: accepting.token, choice: { ...plan.choice, label }, value }];
    });
}

/** The number comes first, because services truncate long button labels at the end. */
function labelHiddenApproval(label: string, hidden: Hidden | undefined): string {
  return `⚠️ With ${hidden?.characters ?? "some"} hidden: ${label}`;
}

export function sanitizeEvent(event: PromptEvent, safeText: SafeText): PromptEvent {
  return {
    ...event,
    excerpt: safeText(event.excerpt),
    content: mapStrings(event.content, safeText) as PromptContent,
    choices: event.choices.map((choice) => ({
      ...choice,
      label: safeText(choice.label),
      ...(choice.detail === undefined ? {} : { detail: safeText(choice.detail) }),
    })),
  };
}

export function renderSession(session: SessionRow, safeText: SafeText): NoticeSession {
  const inside = session.inside === null ? null : "inside another session";
  const label = [session.label, inside].filter((part) => part !== null).join(", ");
  return {
    sessionId: session.sessionId,
    tool: safeText(session.tool),
    label: label === "" ? null : safeText(label),
    place: safeText(session.cwd),
    ended: session.closedAt !== null,
  };
}
