/**
 * Claiming: of all answers to a prompt exactly one wins, in one transaction that checks person, time and value, uses up the
 * nonce and stores the reply. All others are told why theirs was rejected.
 */
import { findChoice } from "../../model/answer/choice-names.js";
import { approvesHidden, describeHidden } from "../../model/hidden.js";
import { LOCAL_IDENTITY, isUuid4, type Identity } from "../../model/ids.js";
import { createRejection, type Rejection } from "../../model/answer/rejection.js";
import { parseLegalValue, type Legality } from "../../model/answer/reply.js";
import { findSafeDefault } from "../../model/answer/safe-default.js";
import type { PromptEvent } from "../../model/prompt.js";
import { findMembership } from "../people/people.js";
import { getPeopleFor, findRoutes } from "../people/routing.js";
import type { PromptRow } from "../store/tables/prompts.js";
import type { SessionRow } from "../store/tables/sessions.js";
import { acceptAnswer, type ClaimedAnswer, type ClaimResult, type MessagePlace } from "./accept.js";
import { describeAnswers } from "./answer-text.js";
import { applyDeadline } from "./expiry.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";
import { isPaused } from "../ledger/pause.js";
import { createRefusal } from "../ledger/refused.js";

/** Accepts the answer or says why not. `find` runs inside the transaction. */
export function claim(ledger: Ledger, find: () => PromptRow | null, answer: ClaimedAnswer): ClaimResult {
  return ledger.commit((tx) => {
    const prompt = find();
    const earlier = findRepeatedClaim(ledger, prompt, answer);
    if (earlier) return earlier;
    const problem = findProblem(ledger, tx, prompt, answer);
    if (problem || !prompt)
      return rejectAnswer(tx, prompt, answer.identity, problem ?? createRejection("unknown_prompt"));
    const legal = normalizeAnswer(ledger, prompt.event, answer);
    if (!legal.ok) return rejectAnswer(tx, prompt, answer.identity, legal.rejection);
    if (approvesHidden(prompt.event, legal.value) && answer.acceptsHidden !== true)
      return rejectAnswer(tx, prompt, answer.identity, rejectHidden(prompt));
    const name = findMembership(ledger.options.settings().people, answer.identity)?.name ?? answer.identity;
    return acceptAnswer(ledger, tx, prompt, { ...answer, value: legal.value, name });
  });
}

function normalizeAnswer(ledger: Ledger, event: PromptEvent, { value, text }: ClaimedAnswer): Legality {
  if (value !== null) return parseLegalValue(event, toChoiceNumber(event, value), text);
  if (text !== undefined) return { ok: false, rejection: createRejection("text_not_taken") };
  const legal = findSafeDefault(event);
  if (legal.ok) return legal;
  const { code, text: why } = legal.rejection;
  return {
    ok: false,
    rejection: createRejection(code, `${why} ${describeAnswers(event, ledger.options.safeText)}`),
  };
}

/** A letter stands for its choice; buttons and programs send the number. */
function toChoiceNumber({ constraints }: PromptEvent, value: string): string {
  const index = constraints.lettered ? findChoice(constraints, value.trim()) : null;
  return index === null ? value : String(index);
}

function findRepeatedClaim(
  ledger: Ledger,
  prompt: PromptRow | null,
  answer: ClaimedAnswer,
): ClaimResult | null {
  if (answer.replyId === undefined) return null;
  if (!isUuid4(answer.replyId)) throw createRefusal("the reply id is not a uuid4");
  const reply = ledger.store.replies.find(answer.replyId);
  if (!reply) return null;
  if (reply.promptId !== prompt?.promptId || reply.identity !== answer.identity)
    throw createRefusal("the reply id was used for another answer");
  return { claimed: true, prompt, replyId: reply.replyId };
}

/** Authority is checked first: a stranger learns nothing about the prompt, not even that it was answered. */
function findProblem(
  ledger: Ledger,
  tx: Transaction,
  prompt: PromptRow | null,
  answer: ClaimedAnswer,
): Rejection | null {
  const session = prompt === null ? null : ledger.store.sessions.find(prompt.sessionId);
  const standing = findMembership(getPeopleFor(ledger.options.settings(), session), answer.identity);
  if (standing?.role !== "approver") return createRejection("not_allowed");
  if (!prompt) return createRejection("unknown_prompt");
  if (answer.writtenAt && !mayAnswerAt(ledger, prompt, session, answer.writtenAt, answer.identity))
    return createRejection("elsewhere");
  if (isPaused(ledger)) return createRejection("paused");
  if (prompt.state !== "pending") return describeState(ledger, prompt);
  if (isLate(prompt, tx.now)) return describeState(ledger, applyDeadline(ledger, tx, prompt));
  if (prompt.answerable || answer.identity === LOCAL_IDENTITY) return null;
  return createRejection("not_allowed", "This prompt can only be answered at the terminal.");
}

/**
 * Who may answer depends on the person, where depends on the prompt: other people read and write in chats that it was not sent
 * to. A configured chat with the same name as the person is their private chat.
 */
function mayAnswerAt(
  ledger: Ledger,
  { promptId }: PromptRow,
  session: SessionRow | null,
  { channel, place }: MessagePlace,
  identity: Identity,
): boolean {
  const { settings, configuredChannels } = ledger.options;
  const isHere = (there: { readonly channel: string; readonly place: string }): boolean =>
    there.channel === channel && there.place === place;
  const routes = session === null ? [] : findRoutes(configuredChannels(), settings(), session);
  const isOwn = identity === `${channel}:${place}`;
  return (
    routes.some((route) => isHere({ channel: route.configuredChannel.id, place: route.place })) ||
    ledger.store.deliveries.listCards(promptId).some(isHere) ||
    (isOwn && configuredChannels().some(({ id, places }) => id === channel && places.includes(place)))
  );
}

/** An answer exactly at the deadline is late. The hub's clock counts, not the message's timestamp. */
function isLate(prompt: PromptRow, now: number): boolean {
  return prompt.deadlineAt !== null && now >= prompt.deadlineAt;
}

function describeState(ledger: Ledger, prompt: PromptRow): Rejection {
  switch (prompt.state) {
    case "expired":
      return createRejection("expired");
    case "superseded":
      return createRejection("superseded");
    case "withdrawn": {
      const session = ledger.store.sessions.find(prompt.sessionId);
      return createRejection(session?.closedAt == null ? "withdrawn" : "session_gone");
    }
    case "detected":
    case "pending":
    case "answering":
    case "injecting":
    case "answered":
    case "uncertain":
    case "failed":
      return prompt.answeredBy === null
        ? createRejection("used")
        : createRejection("used", `Already answered by ${prompt.answeredBy}; the card shows the outcome.`);
  }
}

function rejectHidden({ event }: PromptRow): Rejection {
  const { hidden } = event.content;
  return createRejection("hidden", hidden && `${describeHidden(hidden)}: no answer was given.`);
}

/** Rejects the answer, records that, and tells the person the reason. */
export function rejectAnswer(
  tx: Transaction,
  prompt: PromptRow | null,
  identity: Identity,
  why: Rejection,
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
