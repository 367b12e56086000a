/**
 * Replies with a button for each open prompt that a text would answer. They are deliveries like cards, so that a button goes when its
 * prompt is settled elsewhere: one row a prompt, and all rows of a reply have its ref.
 */
import type { Notice, NoticeButton, Outcome } from "../../sdk/channel.js";
import { assertInvariant } from "../../model/errors.js";
import type { DeliveryRow, TokenRow } from "../store/tables/deliveries.js";
import type { PromptRow } from "../store/tables/prompts.js";
import type { Store } from "../store/store.js";
import { describeCurrentOutcome } from "./cards.js";
import type { NoticeParts } from "./notices/build-notice.js";
import { renderSession } from "./notices/notice.js";
import { describeAnswer, quoteText, type SafeText } from "./notices/outcome-text.js";
import { parseWords } from "./notices/words-button.js";

export function writeOfferHead(count: number): string {
  return count === 1 ? "Tap to answer with it:" : "Which prompt did you mean?";
}

/**
 * The id comes first, because services truncate the end; the tool's words are in quotes, so that none of them looks like an id.
 */
export function writeOfferLabel(prompt: PromptRow, value: string, safeText: SafeText): string {
  const given = prompt.event.promptType === "multiple_choice" ? parseWords(value) : null;
  const words = describeAnswer(prompt.event, given?.value ?? value, safeText)
    .replace(/\s+/g, " ")
    .trim();
  const label = /^“[^“”]*”$/.test(words) ? words : `“${words}”`;
  return `${prompt.shortId}: ${label}${given === null ? "" : `, and say ${quoteText(given.text, safeText)}`}`;
}

/** The button's own token, or, of a reply's button, that of the card. */
export function followOffer({ deliveries }: Store, token: TokenRow | null): TokenRow | null {
  const delivery = token === null ? null : deliveries.find(token.deliveryId);
  const isOffered = token !== null && delivery?.promptId != null && delivery.text !== null;
  return isOffered ? deliveries.findToken(token.value) : token;
}

/** Whether it is a row of such a reply. A reminder, which is also a text about a prompt, has no button. */
export function isOffer({ deliveries }: Store, delivery: DeliveryRow): boolean {
  const { promptId, text } = delivery;
  return promptId !== null && text !== null && deliveries.listTokens(delivery).length > 0;
}

/** Whether the message offers answers to several prompts, so that a reply to it is about none of them. */
export function offersSeveral({ deliveries }: Store, { channel, ref }: DeliveryRow): boolean {
  return ref !== null && deliveries.listByRef(channel, ref).filter(({ text }) => text !== null).length > 1;
}

export function renderOffer(
  parts: NoticeParts,
  delivery: DeliveryRow,
): { readonly notice: Notice; readonly outcome: Outcome } {
  const { store, safeText } = parts;
  const { ref, channel, deliveryId, place } = delivery;
  assertInvariant(ref !== null, "an offer that was not posted");
  const rows = store.deliveries.listByRef(channel, ref).filter((row) => isOffer(store, row));
  const all = rows.map((row) => ({ row, prompt: findOfferedPrompt(store, row) }));
  const settled = all.flatMap(({ row, prompt }) => {
    const outcome = describeCurrentOutcome(prompt);
    return outcome?.final ? [{ row, prompt, outcome }] : [];
  });
  const open = all.filter(({ row }) => !settled.some((each) => each.row === row));
  const [first] = settled;
  assertInvariant(first, "an offer is edited, and none of its prompts is settled");
  const lines = (open.length > 0 ? open : all).map(({ row }) => row.text ?? "");
  const text = [...(open.length > 0 ? [writeOfferHead(open.length)] : []), ...lines].join("\n");
  const session = store.sessions.find(delivery.sessionId);
  assertInvariant(session, "an offer without its session");
  const outcomes = settled.map(({ prompt, outcome }) =>
    all.length === 1 ? outcome.text : `${prompt.shortId}: ${outcome.text}`,
  );
  const about = { deliveryId, place, session: renderSession(session, safeText, parts.hostLabel()) };
  return {
    notice: { kind: "text", ...about, text, block: null, quiet: true, addressees: [] },
    outcome: {
      ...first.outcome,
      text: outcomes.join("\n"),
      final: open.length === 0,
      buttons: open.flatMap(({ row, prompt }) => renderButton(parts, row, prompt)),
    },
  };
}

function renderButton({ store, safeText }: NoticeParts, row: DeliveryRow, prompt: PromptRow): NoticeButton[] {
  const [own] = store.deliveries.listTokens(row);
  const ofCard = own === undefined ? null : store.deliveries.findToken(own.value);
  if (own === undefined || ofCard === null || prompt.state !== "pending") return [];
  const { value } = ofCard;
  const label = writeOfferLabel(prompt, value, safeText);
  // Without a value: a channel would write the number of the choice before the id.
  return [{ token: own.token, value: "", choice: { label, intent: "other" } }];
}

export function findOfferedPrompt({ prompts }: Store, { promptId }: DeliveryRow): PromptRow {
  const prompt = promptId === null ? null : prompts.find(promptId);
  assertInvariant(prompt, "an offer without its prompt");
  return prompt;
}
