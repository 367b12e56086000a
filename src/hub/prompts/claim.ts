/** Exactly one answer to a prompt wins, in one transaction that checks person, time and value and uses up the nonce. */
import { findTermsProblem, type GrantTerms } from "../../model/grant-terms.js";
import { findChoice } from "../../model/answer/choice-names.js";
import { adviseOpening, approvesHidden, describeUnseen, isRejecting } from "../../model/hidden.js";
import { LOCAL_IDENTITY, isUuid4, type Identity } from "../../model/ids.js";
import { createRefusal, type Refusal } from "../../model/answer/refusal.js";
import { parseLegalValue, TEXT_PREFIX, type Legality } from "../../model/answer/reply.js";
import { findSafeDefault } from "../../model/answer/safe-default.js";
import type { PromptEvent } from "../../model/prompt.js";
import { isForgotten } from "../delivery/notices/outcome-text.js";
import { findMembership } from "../people/people.js";
import { findRoutes } from "../people/routing.js";
import type { ExactRequest } from "../policy/verdict.js";
import type { PromptRow } from "../store/tables/prompts.js";
import type { SessionRow } from "../store/tables/sessions.js";
import {
  acceptAnswer,
  type ValidatedAnswer,
  type AnswerClaim,
  type ClaimResult,
  type MessagePlace,
} from "./accept.js";
import { checkNumber } from "./approval/number.js";
import { countApproval, type Counted } from "./approval/quorum.js";
import { describeAnswers, isStrayNumber } from "./answer-text.js";
import { applyDeadline, isPastDeadline } from "./expiry.js";
import { countUnshown } from "./approval/unshown.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";
import { isPaused } from "../ledger/pause.js";
import { findGrantable, GRANTS_MAX, listGrants, makeGrant } from "../ledger/policy/grants.js";
import { mayApprove, nameAnswerer, routePrompt } from "../ledger/policy/prompt-people.js";
import { createRefusedError } from "../ledger/refused-error.js";

/** Accepts the answer or says why not. `find` runs inside the transaction. */
export function claim(ledger: Ledger, find: () => PromptRow | null, answer: AnswerClaim): ClaimResult {
  return ledger.commit((tx) => {
    const prompt = find();
    const earlier = findRepeatedClaim(ledger, prompt, answer);
    if (earlier) return earlier;
    const problem = checkAnswerer(ledger, tx, prompt, answer);
    if (problem || !prompt)
      return refuseAnswer(tx, prompt, answer.identity, problem ?? createRefusal("unknown_prompt"));
    const legal = normalizeAnswer(ledger, prompt.event, answer);
    if (!legal.ok) return refuseAnswer(tx, prompt, answer.identity, legal.rejection);
    const unshown = countUnshown(ledger, prompt, answer.identity);
    if (approvesHidden(prompt.event, legal.value, unshown) && answer.acceptsHidden !== true)
      return refuseAnswer(tx, prompt, answer.identity, refuseUnseen(prompt, unshown));
    const settings = ledger.options.settings();
    const name = findMembership(settings.people, answer.identity)?.name ?? answer.identity;
    const session = ledger.store.sessions.find(prompt.sessionId);
    const shown = nameAnswerer(settings, session, prompt, name);
    const counted = countYes(ledger, tx, prompt, { ...answer, value: legal.value, name: shown });
    if (!counted.ok && counted.rejection.code === "more_needed")
      return { claimed: false, promptId: prompt.promptId, rejection: counted.rejection };
    if (!counted.ok) return refuseAnswer(tx, prompt, answer.identity, counted.rejection);
    const accepted = { ...answer, value: legal.value, name: counted.by, unshown };
    if (answer.grant === undefined) return acceptAnswer(ledger, tx, prompt, accepted);
    const request = findGrantRequest(ledger, tx, prompt, { terms: answer.grant, value: legal.value });
    if (typeof request === "string")
      return refuseAnswer(tx, prompt, answer.identity, createRefusal("not_grantable", request));
    const result = acceptAnswer(ledger, tx, prompt, accepted);
    const made = { terms: answer.grant, request, identity: answer.identity, person: name };
    return { ...result, grant: makeGrant(ledger, tx, prompt, made) };
  });
}

/** The request that the grant would cover, or why none can be made. */
function findGrantRequest(
  ledger: Ledger,
  tx: Transaction,
  prompt: PromptRow,
  { terms, value }: { readonly terms: GrantTerms; readonly value: string },
): Extract<ExactRequest, { ok: true }> | string {
  const request = findGrantable(ledger, prompt);
  const problem =
    findTermsProblem(terms) ??
    (request.ok ? null : request.why) ??
    (request.ok && request.value !== value
      ? "only the choice that allows this once can be given in advance"
      : null) ??
    (listGrants(ledger, tx).length >= GRANTS_MAX ? `${GRANTS_MAX} grants hold already: revoke some` : null);
  if (problem === null && request.ok) return request;
  return `No grant was made: ${problem ?? ""}. Nothing was typed; the prompt can still be answered.`;
}

function countYes(ledger: Ledger, tx: Transaction, prompt: PromptRow, answer: ValidatedAnswer): Counted {
  if (isRejecting(prompt.event, answer.value)) return { ok: true, by: answer.name };
  const problem = checkNumber(ledger, tx, prompt, answer);
  return problem === null ? countApproval(ledger, tx, prompt, answer) : { ok: false, rejection: problem };
}

function normalizeAnswer(ledger: Ledger, event: PromptEvent, { value, text }: AnswerClaim): Legality {
  if (value !== null && isStrayNumber(event, value))
    return { ok: false, rejection: createRefusal("option_unknown", describeStrayNumber(value)) };
  if (value !== null) return parseLegalValue(event, toChoiceNumber(event, toNumber(event, value)), text);
  if (text !== undefined) return { ok: false, rejection: createRefusal("text_not_taken") };
  const legal = findSafeDefault(event);
  if (legal.ok) return legal;
  const { code, text: why } = legal.rejection;
  return {
    ok: false,
    rejection: createRefusal(code, `${why} ${describeAnswers(event, ledger.options.safeText)}`),
  };
}

function describeStrayNumber(value: string): string {
  return `${value} is none of the choices that the screen shows; nothing was typed. Write your choice as it is spelled there; \`${TEXT_PREFIX}${value}\` types the number.`;
}

/** `text:2` means the number 2 in a text field, even if it is none of the choices on the screen. */
function toNumber({ promptType, constraints }: PromptEvent, value: string): string {
  const number = value.startsWith(TEXT_PREFIX) ? value.slice(TEXT_PREFIX.length) : value;
  return promptType === "free_text" && !constraints.form && /^\d+$/u.test(number) ? number : value;
}

/** A letter means its choice; buttons and programs send the number. */
function toChoiceNumber({ constraints }: PromptEvent, value: string): string {
  const index = constraints.lettered ? findChoice(constraints, value.trim()) : null;
  return index === null ? value : String(index);
}

function findRepeatedClaim(
  ledger: Ledger,
  prompt: PromptRow | null,
  answer: AnswerClaim,
): ClaimResult | null {
  if (answer.replyId === undefined) return null;
  if (!isUuid4(answer.replyId)) throw createRefusedError("the reply id is not a uuid4");
  const reply = ledger.store.replies.find(answer.replyId);
  if (!reply) return null;
  if (reply.promptId !== prompt?.promptId || reply.identity !== answer.identity)
    throw createRefusedError("the reply id was used for another answer");
  return { claimed: true, prompt, replyId: reply.replyId };
}

/** Null: they may. Authority is checked first: a stranger learns nothing, not even that the prompt was answered. */
export function checkAnswerer(
  ledger: Ledger,
  tx: Transaction,
  prompt: PromptRow | null,
  answer: Pick<AnswerClaim, "identity" | "writtenAt">,
): Refusal | null {
  const session = prompt === null ? null : ledger.store.sessions.find(prompt.sessionId);
  if (!mayApprove(ledger, prompt, answer.identity)) return createRefusal("not_allowed");
  if (!prompt) return createRefusal("unknown_prompt");
  if (answer.writtenAt && !mayAnswerAt(ledger, prompt, answer.writtenAt, answer.identity))
    return createRefusal("elsewhere");
  if (isPaused(ledger)) return createRefusal("paused");
  if (prompt.state !== "pending") return describeState(ledger, prompt);
  if (isPastDeadline(ledger, prompt, tx.now)) return describeState(ledger, applyDeadline(ledger, tx, prompt));
  if (prompt.answerable || answer.identity === LOCAL_IDENTITY) return null;
  return createRefusal("not_allowed", describeLocalOnly(prompt, session));
}

function describeLocalOnly({ shortId }: PromptRow, session: SessionRow | null): string {
  return session?.capabilities.underTool === true
    ? `This prompt can only be answered on its machine: atlasbridge answer ${shortId} …`
    : "This prompt can only be answered at the terminal.";
}

/** Others write in chats that the prompt was not sent to. A configured chat with the person's own identity is their private one. */
function mayAnswerAt(ledger: Ledger, prompt: PromptRow, at: MessagePlace, identity: Identity): boolean {
  const isOwn = identity === `${at.channel}:${at.place}`;
  const channels = ledger.options.configuredChannels();
  return (
    isSentTo(ledger, prompt, at) ||
    (isOwn && channels.some(({ id, places }) => id === at.channel && places.includes(at.place)))
  );
}

/** Whether the prompt was sent there, or would be. */
export function isSentTo(ledger: Ledger, prompt: PromptRow, { channel, place }: MessagePlace): boolean {
  const { store, options } = ledger;
  const session = store.sessions.find(prompt.sessionId);
  const routes =
    session === null
      ? []
      : findRoutes(options.configuredChannels(), options.settings(), routePrompt(session, prompt));
  return (
    routes.some((route) => route.configuredChannel.id === channel && route.place === place) ||
    store.deliveries
      .listCards(prompt.promptId)
      .some((card) => card.channel === channel && card.place === place)
  );
}

function describeState(ledger: Ledger, prompt: PromptRow): Refusal {
  const session = ledger.store.sessions.find(prompt.sessionId);
  switch (prompt.state) {
    case "expired":
      return createRefusal("expired");
    case "superseded":
      return createRefusal("superseded");
    case "withdrawn": {
      if (isForgotten(prompt.outcome))
        return createRefusal("withdrawn", "No longer open; the record does not say how it ended.");
      if (session?.closedAt != null) return createRefusal("session_gone");
      return session?.capabilities.underTool === true
        ? createRefusal("withdrawn", "The prompt is gone: the agent no longer waits for an answer.")
        : createRefusal("withdrawn");
    }
    case "detected":
    case "pending":
    case "answering":
    case "injecting":
    case "answered":
    case "uncertain":
    case "failed":
      return prompt.answeredBy === null
        ? createRefusal("used")
        : createRefusal("used", `Already answered by ${prompt.answeredBy}; the card shows the outcome.`);
  }
}

function refuseUnseen({ event }: PromptRow, unshown: number): Refusal {
  const what = describeUnseen(event.content.hidden, unshown);
  return createRefusal("hidden", `${what}: no answer was given.${adviseOpening(unshown)}`);
}

export function refuseAnswer(
  tx: Transaction,
  prompt: PromptRow | null,
  identity: Identity,
  why: Refusal,
): Extract<ClaimResult, { claimed: false }> {
  tx.record({
    step: "answer_rejected",
    sessionId: prompt?.sessionId ?? null,
    promptId: prompt?.promptId ?? null,
    identity,
    details: { code: why.code },
  });
  return { claimed: false, promptId: prompt?.promptId ?? null, rejection: why };
}
