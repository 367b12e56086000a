/** Approving content that is hidden, or is not on the card: it takes a second button or explicit words, never a single tap. */
import { describeGrantTerms } from "../../../model/grant-terms.js";
import { adviseOpening, describeUnseen, labelAcceptance } from "../../../model/hidden.js";
import type { Identity } from "../../../model/ids.js";
import type { InboundResponse } from "../../../sdk/channel.js";
import { PRIORITY } from "../../store/tables/outbox.js";
import type { DeliveryRow, TokenRow } from "../../store/tables/deliveries.js";
import type { PromptRow } from "../../store/tables/prompts.js";
import { parseGrantButton } from "../../delivery/notices/grant-button.js";
import type { Ledger, Transaction } from "../../ledger/ledger.js";
import { countUnshown } from "./unshown.js";
import { offerButton } from "../../ledger/offer-button.js";

/** The prefix of a written answer that approves hidden content: `accept hidden 1`. */
const ACCEPTING = /^accept[ -]hidden +/i;

/** Splits the prefix off a written answer. Without it, or if everything was on the card, the text is used unchanged. */
export function readAcceptance(
  { event }: PromptRow,
  text: string,
  unshown: number,
): { readonly words: string; readonly acceptsHidden: boolean } {
  const words = text.trimStart().replace(ACCEPTING, "");
  const acceptsHidden =
    (event.content.hidden !== undefined || unshown > 0) && ACCEPTING.test(text.trimStart());
  return { words: acceptsHidden ? words : text, acceptsHidden };
}

/** The button counts only for the nonce it was made for: once, and only while the prompt is unchanged. */
export function isHiddenApproval(token: TokenRow | null, prompt: PromptRow | null): boolean {
  return token !== null && token.acceptsHidden !== null && token.acceptsHidden === prompt?.nonceHash;
}

/** Adds the second button under the card where the first was pressed; for a grant, whose buttons no card has, under the reply. */
export function offerAcceptance(
  ledger: Ledger,
  tx: Transaction,
  { deliveryId, twinOf }: DeliveryRow,
  { value }: TokenRow,
  { prompt, identity }: { readonly prompt: PromptRow; readonly identity: Identity },
): InboundResponse {
  const { store } = ledger;
  const { nonceHash, event, shortId } = prompt;
  const token = offerButton(ledger, { deliveryId, twinOf }, value, nonceHash ?? "");
  const unshown = countUnshown(ledger, prompt, identity);
  const { hidden } = event.content;
  const terms = parseGrantButton(value);
  const isOfAgent = store.sessions.find(prompt.sessionId)?.capabilities.underTool === true;
  const see = isOfAgent
    ? `See it on its machine (atlasbridge prompts --reveal ${shortId})`
    : "Check the terminal";
  const part = hidden?.opened ? "this" : "the hidden part";
  const unseen = hidden ? ` ${see}, or press the button that names ${part} to approve it unseen.` : "";
  const text = `⚠️ ${describeUnseen(hidden, unshown)}: no answer was given.${adviseOpening(unshown)}${unseen}`;
  if (terms !== null) {
    const label = labelAcceptance(`Yes, ${describeGrantTerms(terms)}`, hidden, unshown);
    return { text, alert: false, buttons: [{ token, label }] };
  }
  store.outbox.addSettle(deliveryId, PRIORITY.settleByTap, tx.now, { state: "refused", text, final: false });
  tx.emit({ kind: "outbox" });
  return { text, alert: true };
}

export function describeHowToAccept({ event }: PromptRow, text: string): string {
  const words = text.trim();
  const answer = words.length <= ANSWER_SHOWN_MAX && !words.includes("\n") ? words : "…";
  const unseen = event.content.hidden ? " unseen" : "";
  return `To approve it${unseen}, reply: accept hidden ${answer}`;
}

const ANSWER_SHOWN_MAX = 20;
