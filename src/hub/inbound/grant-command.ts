/** Grants: "Yes for…" under a card offers them, `grant k7 1h` gives one, `grants` lists and `revoke g3` ends them. */
import { describeGrantTerms, OFFERED_TERMS, parseGrantTerms } from "../../model/grant-terms.js";
import { type Identity } from "../../model/ids.js";
import { createRefusal } from "../../model/answer/refusal.js";
import type { InboundResponse } from "../../sdk/channel.js";
import { formatDuration } from "../delivery/notices/span.js";
import { parseSend } from "../delivery/notices/form-steps.js";
import { parseWords } from "../delivery/notices/words-button.js";
import { encodeGrant, parseGrantButton } from "../delivery/notices/grant-button.js";
import { findMembership } from "../people/people.js";
import type { ConfiguredChannel } from "../people/routing.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";
import { findGrantHold } from "../ledger/policy/grant-hold.js";
import {
  findGrantable,
  findGrantEnd,
  listGrants,
  revokeGrants,
  type Grant,
} from "../ledger/policy/grants.js";
import type { AnswerClaim } from "../prompts/accept.js";
import { claim, refuseAnswer } from "../prompts/claim.js";
import type { DeliveryRow, TokenRow } from "../store/tables/deliveries.js";
import type { PromptRow } from "../store/tables/prompts.js";
import { describeClaim } from "./claim-words.js";
import { offerButton } from "../ledger/offer-button.js";
import { mayApprove } from "../ledger/policy/prompt-people.js";

/** `grant k7 1h`, `grant k7 5x`, `grant k7 1h anywhere` */
const GRANT_COMMAND = /^\/?grant(?:@\w{1,64})? {1,8}([a-z0-9]{2,6})(?: {1,8}([a-z0-9 ]{1,40}))?$/i;
const LIST_COMMAND = /^\/?grants(?:@\w{1,64})?$/i;
const REVOKE_COMMAND = /^\/?revoke(?:@\w{1,64})? {1,8}(all|g[1-9][0-9]{0,8})$/i;

export function runGrantCommand(
  ledger: Ledger,
  tx: Transaction,
  text: string,
  requester: {
    readonly identity: Identity;
    readonly configuredChannel: ConfiguredChannel;
    readonly place: string;
  },
): InboundResponse | null {
  const words = text.trim();
  if (LIST_COMMAND.test(words)) return say(describeGrants(ledger, tx));
  const revoked = REVOKE_COMMAND.exec(words)?.[1]?.toLowerCase();
  if (revoked !== undefined) return revoke(ledger, tx, revoked, requester.identity);
  const [, shortId, terms = ""] = GRANT_COMMAND.exec(words) ?? [];
  return shortId === undefined ? null : grantFromText(ledger, shortId.toLowerCase(), { terms, ...requester });
}

function grantFromText(
  ledger: Ledger,
  shortId: string,
  {
    terms: written,
    identity,
    configuredChannel,
    place,
  }: {
    readonly terms: string;
    readonly identity: Identity;
    readonly configuredChannel: ConfiguredChannel;
    readonly place: string;
  },
): InboundResponse {
  const prompt = ledger.store.prompts.findByShortId(shortId);
  const terms = parseGrantTerms(written);
  if (terms === null) return warn(HOW_TO_GRANT);
  const request = prompt === null ? null : findGrantable(ledger, prompt);
  const value = request?.ok === true ? request.value : NO_VALUE;
  const writtenAt = { channel: configuredChannel.id, place };
  const result = claim(ledger, () => prompt, { value, identity, writtenAt, grant: terms });
  // A person who may answer sees why no grant can be made, not that `value` is no choice.
  if (!result.claimed && result.rejection.code === "option_unknown" && request?.ok === false)
    return warn(`No grant was made: ${request.why}. The prompt can still be answered.`);
  if (!result.claimed && result.rejection.code === "hidden")
    return warn(`${result.rejection.text} Tap “Yes for…” under the card.`);
  return describeClaim(ledger, result, prompt);
}

/** Legal for no prompt. */
const NO_VALUE = "\u0000";

const HOW_TO_GRANT =
  "Write how long or how often: grant k7 10m, grant k7 5x or grant k7 session; `1h anywhere` includes other sessions of the same tool in the same directory. At most 24 hours, and 100 times.";

export function offerGrants(
  ledger: Ledger,
  tx: Transaction,
  prompt: PromptRow | null,
  { delivery, identity }: { readonly delivery: DeliveryRow; readonly identity: Identity },
): InboundResponse {
  if (!mayApprove(ledger, prompt, identity))
    return warn(refuseAnswer(tx, prompt, identity, createRefusal("not_allowed")).rejection.text);
  if (prompt?.state !== "pending") return warn("This prompt is no longer open.");
  const request = findGrantable(ledger, prompt);
  if (!request.ok) return warn(`It cannot be allowed in advance: ${request.why}.`);
  const { safeText } = ledger.options;
  const buttons = OFFERED_TERMS.map((words) => {
    const terms = parseGrantTerms(words);
    const label = terms === null ? words : describeGrantTerms(terms);
    return { token: offerButton(ledger, delivery, encodeGrant(words)), label: `Yes, ${label}` };
  });
  const lines = [
    `Nothing was answered yet. Allow exactly this in advance, in ${request.directory}:`,
    request.shown,
    `Or write: grant ${prompt.shortId} 30m`,
  ];
  return { text: lines.map((line) => safeText(line)).join("\n"), alert: false, buttons };
}

export function readTapped(
  ledger: Ledger,
  token: TokenRow | null,
  asked: PromptRow | null,
): Pick<AnswerClaim, "value" | "text" | "grant"> {
  const value = token === null ? "" : (parseSend(token.value) ?? token.value);
  const words = asked?.event.promptType === "multiple_choice" ? parseWords(value) : null;
  if (words !== null) return words;
  const terms = parseGrantButton(value);
  if (terms === null || asked === null) return { value };
  const request = findGrantable(ledger, asked);
  return { value: request.ok ? request.value : "", grant: terms };
}

function revoke(ledger: Ledger, tx: Transaction, named: string, identity: Identity): InboundResponse {
  if (findMembership(ledger.options.settings().people, identity)?.role !== "approver") {
    tx.record({ step: "answer_rejected", identity, details: { code: "not_allowed" } });
    return warn("You may not do that.");
  }
  const ended = revokeGrants(ledger, tx, named === "all" ? null : named, identity);
  return say(ended.length === 0 ? `There is no grant ${named}.` : `Ended: ${ended.join(", ")}`);
}

function describeGrants(ledger: Ledger, tx: Transaction): string {
  const grants = listGrants(ledger, tx);
  if (grants.length === 0) return "No grants.";
  const lines = grants.map((grant) => describeGrant(ledger, grant, tx.now));
  return ledger.options.safeText([...lines, "End one: revoke g1, or revoke all"].join("\n"));
}

export function describeGrant(ledger: Ledger, grant: Grant, now: number): string {
  const end = findGrantEnd(ledger, grant);
  const count = grant.uses === null ? `used ${grant.used} times` : `used ${grant.used} of ${grant.uses}`;
  const left = end === null ? "in its session" : `${formatDuration(end - now)} left`;
  const where = grant.anywhere ? "any session" : "one session";
  const hold = findGrantHold(ledger, grant);
  const parts = [grant.shown, grant.directory, where, `by ${grant.person}`, count, left];
  return `${grant.id}  ${grant.tool}: ${[...parts, ...(hold === null ? [] : [`⚠ ${hold}`])].join(" · ")}`;
}

function say(text: string): InboundResponse {
  return { text, alert: false };
}

function warn(text: string): InboundResponse {
  return { text, alert: true };
}
