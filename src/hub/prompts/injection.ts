/** From a claimed reply to its receipt: the worker's reports. Each is idempotent and recorded. */
import type { PromptId, ReplyId, SessionId } from "../../model/ids.js";
import type { Fingerprint } from "../../model/ids.js";
import { isOpen } from "../../model/lifecycle.js";
import type { AnswerRoute, Receipt } from "../../model/answer/receipt.js";
import { describeCheck } from "../../model/where-to-check.js";
import { createRefusal, type Refusal } from "../../model/answer/refusal.js";
import { limitReceipt, limitRefusal } from "../delivery/notices/agent-report.js";
import {
  describeAnswer,
  describeReadByClient,
  describeReceipt,
  describeTypingAnswer,
  describeRefusal,
  describeUnreported,
  quoteText,
} from "../delivery/notices/outcome-text.js";
import { ANSWER_PICKUP_LIMIT_MS } from "../delivery/limits.js";
import type { PromptRow } from "../store/tables/prompts.js";
import type { ReplyRow } from "../store/tables/replies.js";
import { scheduleWaitingEdit } from "./accept.js";
import { advancePrompt } from "./advance-prompt.js";
import { isAboutTyping } from "../../model/console-call.js";
import { isClaimProved } from "../ledger/answer-record.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";
import { isPaused } from "../ledger/pause.js";
import { createRefusedError } from "../ledger/refused-error.js";

export interface ReplyKey {
  readonly sessionId: SessionId;
  readonly promptId: PromptId;
  readonly replyId: ReplyId;
}

export interface InjectionStart extends ReplyKey {
  readonly route: AnswerRoute;
  readonly fingerprint: Fingerprint;
  readonly endsTool: boolean;
}

/**
 * Commits `injecting` with the injection and its audit row. No byte may be typed before this returns. Idempotent for the same
 * reply. Errors: ATB_HUB_REFUSED if the prompt must not be answered with this reply (any more).
 */
export function beginInjection(ledger: Ledger, begin: InjectionStart): PromptRow {
  return ledger.commit((tx) => {
    const { prompt, reply } = loadReply(ledger, begin);
    // A repeated call is allowed: the caller has typed nothing yet.
    if (isPaused(ledger)) throw createRefusedError(createRefusal("paused").text);
    const isCurrent = prompt.replyId === reply.replyId;
    if (isCurrent && prompt.state === "injecting") return prompt;
    if (!isCurrent || prompt.state !== "answering")
      throw createRefusedError(`the prompt is ${prompt.state} and cannot be answered now`);
    if (!isClaimProved(ledger, prompt, reply)) throw createRefusedError(createRefusal("unproved").text);
    const { replyId, route, fingerprint, endsTool } = begin;
    const { promptId, identity } = reply;
    const auditPosition = tx.record({
      step: "injection_began",
      sessionId: prompt.sessionId,
      promptId,
      identity,
      details: { replyId, route, fingerprint },
    });
    ledger.store.injections.insert({
      replyId,
      promptId,
      auditPosition,
      route,
      fingerprint,
      endsTool,
      beganAt: tx.now,
    });
    ledger.store.replies.setState(replyId, "begun");
    ledger.store.outbox.dropSettles(promptId);
    const moved = advancePrompt(ledger, tx, prompt, { event: { kind: "injection_began" } });
    // Its cards may say by now that nobody has picked it up.
    if (tx.now - reply.receivedAt >= ANSWER_PICKUP_LIMIT_MS)
      scheduleWaitingEdit(
        ledger,
        tx,
        moved,
        describeUnreported(describeAnswer(prompt.event, reply.value, ledger.options.safeText), reply.person),
      );
    return moved;
  });
}

export interface ReplyRefusal extends ReplyKey {
  readonly rejection: Refusal;
  readonly stillAsked: boolean;
}

/** The answer was not typed: the prompt is open again with a new nonce, or gone. */
export function refuseReply(ledger: Ledger, refusal: ReplyRefusal): PromptRow {
  return ledger.commit((tx) => {
    const { prompt, reply } = loadReply(ledger, refusal);
    if (prompt.replyId !== reply.replyId || !isOpen(prompt.state)) return prompt;
    // The begin was committed, but its acknowledgement was lost, so the worker typed nothing.
    if (prompt.state === "injecting")
      return concludeInjection(ledger, tx, prompt, reply, buildUnwrittenReceipt(ledger, refusal));
    if (prompt.state !== "answering") return prompt;
    ledger.store.replies.setState(reply.replyId, "refused");
    const { code, text: why } = findReason(ledger, refusal);
    const text = describeRefusal(why, ledger.options.safeText);
    return advancePrompt(ledger, tx, prompt, {
      event: { kind: refusal.stillAsked ? "refused" : code === "superseded" ? "superseded" : "withdrawn" },
      record: {
        step: "reply_refused",
        identity: reply.identity,
        details: { replyId: reply.replyId, code, stillAsked: refusal.stillAsked },
      },
      change: { replyId: null, ...(refusal.stillAsked ? { answeredBy: null } : {}) },
      text,
      answeredFrom: reply.identity,
    });
  });
}

/** The worker only knows that it was not allowed to begin; the hub knows why. */
function findReason(ledger: Ledger, { rejection: told, sessionId }: ReplyRefusal): Refusal {
  if (told.code === "not_recorded" && isPaused(ledger)) return createRefusal("paused");
  const isOfAgent = ledger.store.sessions.find(sessionId)?.capabilities.underTool === true;
  return isOfAgent ? limitRefusal(told) : told;
}

function buildUnwrittenReceipt(ledger: Ledger, refusal: ReplyRefusal): Receipt {
  const injection = ledger.store.injections.findByPrompt(refusal.promptId);
  return {
    outcome: "failed",
    proof: null,
    route: injection?.route ?? "keys",
    evidence: "the hub's confirmation did not reach the session in time",
    bytesWritten: 0,
    fingerprintBefore: injection?.fingerprint ?? null,
    fingerprintAfter: null,
    endsTool: false,
  };
}

/** Stores the receipt. Repeating it, or a prompt that was settled before, changes nothing. */
export function endInjection(ledger: Ledger, end: ReplyKey & { readonly receipt: Receipt }): PromptRow {
  return ledger.commit((tx) => {
    const { prompt, reply } = loadReply(ledger, end);
    if (prompt.state !== "injecting" || prompt.replyId !== reply.replyId) {
      const injection = ledger.store.injections.findByPrompt(prompt.promptId);
      if (injection?.replyId !== reply.replyId) throw createRefusedError("the injection was never begun");
      return prompt;
    }
    return concludeInjection(ledger, tx, prompt, reply, end.receipt);
  });
}

function concludeInjection(
  ledger: Ledger,
  tx: Transaction,
  prompt: PromptRow,
  reply: ReplyRow,
  receipt: Receipt,
): PromptRow {
  const { outcome, proof, route, evidence, bytesWritten, fingerprintBefore, fingerprintAfter, stop } =
    receipt;
  const { replyId, identity } = reply;
  ledger.store.injections.end(replyId, tx.now, outcome, receipt);
  ledger.store.replies.setState(replyId, "done");
  return advancePrompt(ledger, tx, prompt, {
    event: { kind: "receipt", outcome },
    record: {
      step: "injection_ended",
      identity,
      details: {
        ...{ replyId, outcome, route, evidence, bytesWritten, fingerprintBefore, fingerprintAfter },
        ...(proof !== null && { proof }),
        ...(stop && { stop: { ...stop } }),
      },
    },
    text: describeAnswered(ledger, prompt, reply, receipt),
    answeredFrom: identity,
  });
}

function describeAnswered(ledger: Ledger, prompt: PromptRow, reply: ReplyRow, receipt: Receipt): string {
  const { safeText } = ledger.options;
  const choice = describeAnswer(prompt.event, reply.value, safeText);
  const label = reply.text === null ? choice : `${choice}: ${quoteText(reply.text, safeText)}`;
  const session = ledger.store.sessions.find(prompt.sessionId);
  const isOfClient = session?.capabilities.underTool === true;
  if (isOfClient && receipt.outcome !== "failed" && isAboutTyping(prompt.event))
    return describeTypingAnswer(label, reply.person);
  if (isOfClient && receipt.outcome === "answered") return describeReadByClient(label, reply.person);
  const check = describeCheck(session);
  const given = { label, who: reply.person, tool: safeText(session?.tool ?? "the tool"), check };
  return describeReceipt(given, isOfClient ? limitReceipt(receipt) : receipt, safeText);
}

function loadReply(ledger: Ledger, key: ReplyKey): { prompt: PromptRow; reply: ReplyRow } {
  const prompt = ledger.store.prompts.find(key.promptId);
  const reply = ledger.store.replies.find(key.replyId);
  if (prompt?.sessionId !== key.sessionId || reply?.promptId !== key.promptId)
    throw createRefusedError("no such reply to a prompt of this session");
  return { prompt, reply };
}
