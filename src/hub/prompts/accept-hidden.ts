/** The second button and the words by which a person approves what is hidden from them: asked for, never taken from one tap. */
import { hiddenWords } from "../../model/hidden.js";
import type { InboundAnswer } from "../../sdk/channel.js";
import { PRIORITY } from "../store/tables/outbox.js";
import type { DeliveryRow, TokenRow } from "../store/tables/deliveries.js";
import type { PromptRow } from "../store/tables/prompts.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";

/** Begins an answer in words that approves what is hidden: `accept hidden 1`. */
const ACCEPTING = /^accept[ -]hidden +/i;

/** A text as an answer, and whether it says that its person approves what is hidden. Elsewhere the words are text like any other. */
export function readAcceptance(
  { event }: PromptRow,
  text: string,
): { readonly words: string; readonly acceptsHidden: boolean } {
  const words = event.content.hidden === undefined ? text : text.trimStart().replace(ACCEPTING, "");
  const acceptsHidden = event.content.hidden !== undefined && ACCEPTING.test(text.trimStart());
  return { words: acceptsHidden ? words : text, acceptsHidden };
}

/** The button counts only for the nonce that it was made for: once, and for this asking of the question. */
export function acceptsHidden(token: TokenRow | null, prompt: PromptRow | null): boolean {
  return token !== null && token.acceptsHidden !== null && token.acceptsHidden === prompt?.nonceHash;
}

/** Puts the second button under the card on which the first one was pressed. */
export function offerAcceptance(
  ledger: Ledger,
  tx: Transaction,
  { deliveryId, twinOf }: DeliveryRow,
  { value }: TokenRow,
  prompt: PromptRow,
): InboundAnswer {
  const { store, options } = ledger;
  const { nonceHash, event } = prompt;
  const first = store.deliveries.find(twinOf ?? deliveryId);
  const known = first === null ? [] : store.deliveries.tokensOf(first);
  const isOffered = known.some((token) => token.value === value && token.acceptsHidden === nonceHash);
  const what =
    event.content.hidden === undefined ? "Part of this is hidden" : hiddenWords(event.content.hidden);
  if (first !== null && nonceHash !== null && !isOffered)
    store.deliveries.insertToken({
      token: options.random.token(),
      deliveryId: first.deliveryId,
      position: 1 + Math.max(0, ...known.map(({ position }) => position)),
      value,
      acceptsHidden: nonceHash,
    });
  const text = `⚠️ ${what}: nothing was answered. Look at the terminal, or press the button that names them to approve unseen.`;
  store.outbox.addSettle(deliveryId, PRIORITY.settleByTap, tx.now, { state: "refused", text, final: false });
  tx.tell({ kind: "outbox" });
  return { text, alert: true };
}

/** How to say it in words. */
export function howToAccept(text: string): string {
  const words = text.trim();
  const answer = words.length <= ANSWER_SHOWN_MAX && !words.includes("\n") ? words : "…";
  return `To approve it unseen, reply: accept hidden ${answer}`;
}

/** An answer is repeated where it is a word or a number. */
const ANSWER_SHOWN_MAX = 20;
