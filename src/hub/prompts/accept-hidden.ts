/** Approving hidden content: it takes a second button or explicit words, never a single tap. */
import { describeHidden } from "../../model/hidden.js";
import type { InboundResponse } from "../../sdk/channel.js";
import { PRIORITY } from "../store/tables/outbox.js";
import type { DeliveryRow, TokenRow } from "../store/tables/deliveries.js";
import type { PromptRow } from "../store/tables/prompts.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";

/** The prefix of a written answer that approves hidden content: `accept hidden 1`. */
const ACCEPTING = /^accept[ -]hidden +/i;

/** Splits the prefix off a written answer. Without it, the text is used as it is. */
export function readAcceptance(
  { event }: PromptRow,
  text: string,
): { readonly words: string; readonly acceptsHidden: boolean } {
  const words = event.content.hidden === undefined ? text : text.trimStart().replace(ACCEPTING, "");
  const acceptsHidden = event.content.hidden !== undefined && ACCEPTING.test(text.trimStart());
  return { words: acceptsHidden ? words : text, acceptsHidden };
}

/** The button counts only for the nonce it was made for: once, and only while the prompt is unchanged. */
export function isHiddenApproval(token: TokenRow | null, prompt: PromptRow | null): boolean {
  return token !== null && token.acceptsHidden !== null && token.acceptsHidden === prompt?.nonceHash;
}

/** Adds the second button under the card where the first was pressed. */
export function offerAcceptance(
  ledger: Ledger,
  tx: Transaction,
  { deliveryId, twinOf }: DeliveryRow,
  { value }: TokenRow,
  prompt: PromptRow,
): InboundResponse {
  const { store, options } = ledger;
  const { nonceHash, event } = prompt;
  const first = store.deliveries.find(twinOf ?? deliveryId);
  const known = first === null ? [] : store.deliveries.listTokens(first);
  const isOffered = known.some((token) => token.value === value && token.acceptsHidden === nonceHash);
  const what =
    event.content.hidden === undefined ? "Part of this is hidden" : describeHidden(event.content.hidden);
  if (first !== null && nonceHash !== null && !isOffered)
    store.deliveries.insertToken({
      token: options.random.token(),
      deliveryId: first.deliveryId,
      position: 1 + Math.max(0, ...known.map(({ position }) => position)),
      value,
      acceptsHidden: nonceHash,
    });
  const isOfAgent = store.sessions.find(prompt.sessionId)?.capabilities.underTool === true;
  const see = isOfAgent
    ? `See it on its machine (atlasbridge prompts --reveal ${prompt.shortId})`
    : "Check the terminal";
  const text = `⚠️ ${what}: no answer was given. ${see}, or press the button that names the hidden part to approve it unseen.`;
  store.outbox.addSettle(deliveryId, PRIORITY.settleByTap, tx.now, { state: "refused", text, final: false });
  tx.emit({ kind: "outbox" });
  return { text, alert: true };
}

/** Describes how to approve hidden content in writing. */
export function describeHowToAccept(text: string): string {
  const words = text.trim();
  const answer = words.length <= ANSWER_SHOWN_MAX && !words.includes("\n") ? words : "…";
  return `To approve it unseen, reply: accept hidden ${answer}`;
}

/** Only a word or number is repeated as the example. */
const ANSWER_SHOWN_MAX = 20;
