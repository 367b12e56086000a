/** Claims a prompt with a written answer, and says in words what became of a claim. Runs inside the inbox's transaction. */
import { describeGrantTerms } from "../../model/grant-terms.js";
import type { Identity } from "../../model/ids.js";
import { isOpen } from "../../model/lifecycle.js";
import { parseLegalValue } from "../../model/answer/reply.js";
import type { InboundResponse } from "../../sdk/channel.js";
import { describeAnswer } from "../delivery/notices/outcome-text.js";
import { findMembership } from "../people/people.js";
import type { ConfiguredChannel } from "../people/routing.js";
import type { PromptRow } from "../store/tables/prompts.js";
import { readApprovalState } from "../prompts/approval/approval-state.js";
import { mayNeedNumber, wantsNumber } from "../prompts/approval/number.js";
import { findYes } from "../../model/answer/find-yes.js";
import { describeHowToAccept, readAcceptance } from "../prompts/approval/accept-hidden.js";
import type { ClaimResult } from "../prompts/accept.js";
import { explainRefusal, parseTypedAnswer } from "../prompts/answer-text.js";
import { claim } from "../prompts/claim.js";
import { countUnshown } from "../prompts/approval/unshown.js";
import type { Grant } from "../ledger/policy/grants.js";
import type { Ledger } from "../ledger/ledger.js";

export const DELETE_MESSAGE = "Delete your message: it stays in this chat's history.";
const MESSAGE_DELETED =
  "AtlasBridge has deleted your message. If it held the password, change it: the chat service has read it.";

export function claimFromText(
  ledger: Ledger,
  configuredChannel: ConfiguredChannel,
  prompt: PromptRow,
  { text, identity, place }: { readonly text: string; readonly identity: Identity; readonly place: string },
): InboundResponse {
  const writtenAt = { channel: configuredChannel.id, place };
  const unshown = countUnshown(ledger, prompt, identity);
  const { words, acceptsHidden: accepts } = readAcceptance(prompt, text, unshown);
  const carried = readCarriedNumber(ledger, prompt, words, identity);
  const typed =
    carried.value === undefined ? parseTypedAnswer(prompt.event, carried.words) : { value: carried.value };
  const answer = {
    ...typed,
    number: carried.number,
    identity,
    writtenAt,
    acceptsHidden: accepts || carried.acceptsHidden,
  };
  const result = claim(ledger, () => ledger.store.prompts.find(prompt.promptId), answer);
  if (!result.claimed && result.rejection.code === "hidden")
    return { text: `${result.rejection.text} ${describeHowToAccept(prompt, text)}`, alert: true };
  const response = describeClaim(ledger, result, prompt);
  // A stranger learns nothing, not even that it is a secret.
  const isKnown = findMembership(ledger.options.settings().people, identity) !== null;
  return isKnown && waitsForSecret(prompt) ? askToDelete(response) : response;
}

export function waitsForSecret({ event, state }: PromptRow): boolean {
  return event.promptType === "secret" && isOpen(state);
}

/** For a message that may hold the secret which its prompt waits for. */
export function askToDelete(response: InboundResponse): InboundResponse {
  const { text } = response;
  return {
    ...response,
    text: `${text} ${DELETE_MESSAGE}`,
    ifDeleted: `${text} ${MESSAGE_DELETED}`,
    isReceipt: false,
  };
}

/** `Grant g3: exactly this is allowed 5 times, in this session. To end it, write: revoke g3` */
export function describeNewGrant({ id, ...terms }: Grant): string {
  return `Grant ${id}: exactly this is allowed ${describeGrantTerms(terms)}. To end it, write: revoke ${id}`;
}

/** An answer in words, the number that came with it, and whether hidden content was approved before. */
interface CarriedNumber {
  readonly words: string;
  readonly number?: number;
  readonly value?: string;
  readonly acceptsHidden?: boolean;
}

/**
 * `1 47`: an answer with its number; the number alone goes with what its writer tapped, or with the one yes there is. An answer that
 * needs no number keeps its digits: `3: use port 80`.
 */
function readCarriedNumber(
  ledger: Ledger,
  prompt: PromptRow,
  text: string,
  identity: Identity,
): CarriedNumber {
  const [, words, digits] = (mayNeedNumber(prompt) && CARRIED.exec(text.trim())) || [];
  if (digits === undefined) return { words: text };
  const number = Number(digits);
  const needs = (value: string | undefined): value is string =>
    value !== undefined && wantsNumber(prompt, value);
  if (words !== undefined) {
    const typed = parseTypedAnswer(prompt.event, words).value;
    const legal = parseLegalValue(prompt.event, typed);
    return needs(legal.ok ? legal.value : typed) ? { words, number } : { words: text };
  }
  // It would be one of the choices.
  if (number <= prompt.event.choices.length) return { words: text };
  const { tapped, accepting = [] } = readApprovalState(ledger, prompt);
  const value = tapped[identity] ?? findYes(prompt.event) ?? undefined;
  if (!needs(value)) return { words: text };
  return { words: text, number, value, ...(accepting.includes(identity) && { acceptsHidden: true }) };
}

const CARRIED = /^(?:(\S[\s\S]*?)\s+)?([1-9][0-9])$/;

export function describeClaim(
  ledger: Ledger,
  result: ClaimResult,
  askedPrompt: PromptRow | null,
): InboundResponse {
  if (!result.claimed) {
    return { text: explainRefusal(result.rejection, askedPrompt?.event), alert: true };
  }
  const { prompt, replyId, grant } = result;
  const value = ledger.store.replies.find(replyId)?.value ?? "";
  const tool = ledger.store.sessions.find(prompt.sessionId)?.tool ?? "";
  const { safeText } = ledger.options;
  const allowed = grant === undefined ? "" : `\n${describeNewGrant(grant)}`;
  // Its worker may be stopped, disconnected or dead, so nothing was sent to anybody yet.
  return {
    text: `${describeAnswer(prompt.event, value, safeText)}: accepted for ${safeText(tool)}${safeText(allowed)}`,
    alert: false,
    // The card shows the outcome within seconds; how to end a grant stands nowhere else.
    isReceipt: grant === undefined,
  };
}
