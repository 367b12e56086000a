/** Ends a prompt that is no longer open, for any reason except an answer through AtlasBridge. */
import { isOpen } from "../../model/lifecycle.js";
import { describeCheck } from "../../model/where-to-check.js";
import type { PromptId, SessionId } from "../../model/ids.js";
import type { WithdrawReason } from "../../sdk/adapter.js";
import { limitReason } from "../delivery/notices/agent-report.js";
import {
  describeAnswer,
  describeEndedInjection,
  describeForgotten,
  describeOvertaken,
  describeTypedAnswer,
  describeUnapplied,
  describeWithdrawal,
} from "../delivery/notices/outcome-text.js";
import type { PromptRow } from "../store/tables/prompts.js";
import type { ReplyRow } from "../store/tables/replies.js";
import { settleAskAgain } from "./ask-again.js";
import { advancePrompt } from "./advance-prompt.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";
import { createRefusedError } from "../ledger/refused-error.js";

/** The prompt is gone. The cards of an expired prompt say so and "Ask again" disappears; other settled prompts stay as they are. */
export function withdrawPrompt(
  ledger: Ledger,
  sessionId: SessionId,
  promptId: PromptId,
  { reason, answer }: { readonly reason: WithdrawReason; readonly answer?: string | undefined },
): PromptRow {
  return ledger.commit((tx) => {
    const prompt = ledger.store.prompts.find(promptId);
    if (prompt?.sessionId !== sessionId) throw createRefusedError("no such prompt of this session");
    const isOfAgent = ledger.store.sessions.find(sessionId)?.capabilities.underTool === true;
    if (isOpen(prompt.state))
      return withdraw(ledger, tx, prompt, {
        reason: isOfAgent ? limitReason(reason) : reason,
        reported: reason,
        answer: isOfAgent ? undefined : answer,
      });
    // After a lost screen the open prompts are unknown, and a prompt that is raised again replaces itself.
    const isGone = reason !== "screen_lost" && reason !== "superseded";
    if (prompt.state === "expired" && isGone) settleAskAgain(ledger, tx, prompt, "gone");
    return ledger.store.prompts.find(promptId) ?? prompt;
  });
}

function withdraw(
  ledger: Ledger,
  tx: Transaction,
  prompt: PromptRow,
  {
    reason,
    reported,
    answer,
  }: {
    readonly reason: WithdrawReason;
    readonly reported: WithdrawReason;
    readonly answer: string | undefined;
  },
): PromptRow {
  const details = { reason, ...(reported === reason ? {} : { reported }) };
  const kind = reason === "superseded" && prompt.state !== "injecting" ? "superseded" : "withdrawn";
  const reply = findReplyInProgress(ledger, prompt);
  if (reply) closeReply(ledger, tx, prompt, reply);
  const isBegun = reply !== null && prompt.state === "injecting";
  return advancePrompt(ledger, tx, prompt, {
    event: { kind },
    record: { step: kind === "superseded" ? "prompt_superseded" : "prompt_withdrawn", details },
    text: isBegun
      ? describeOvertaken(reason, labelReply(ledger, prompt, reply), reply.person)
      : addUnapplied(
          ledger,
          prompt,
          reply,
          reason === "answered_locally" && answer !== undefined
            ? describeTypedAnswer(answer, ledger.options.safeText)
            : describeWithdrawal(reason),
        ),
  });
}

/**
 * The session ended: an answer being typed is uncertain, unless the plan expected this end and the tool exited itself. `text`
 * goes on the cards of unanswered prompts, `ended` (see `ENDED`) on those of an answer that was being typed.
 */
export function closePrompt(
  ledger: Ledger,
  tx: Transaction,
  prompt: PromptRow,
  {
    endedItself,
    text,
    ended,
  }: { readonly endedItself: boolean; readonly text: string; readonly ended: string },
): PromptRow {
  const reply = findReplyInProgress(ledger, prompt);
  if (prompt.state !== "injecting" || !reply) {
    if (reply) ledger.store.replies.setState(reply.replyId, "void");
    return advancePrompt(ledger, tx, prompt, {
      event: { kind: "session_ended", planForesawEnd: false },
      record: { step: "prompt_withdrawn", details: { reason: "session_ended" } },
      text: addUnapplied(ledger, prompt, reply, text),
    });
  }
  const foreseen = endedItself && ledger.store.injections.findByPrompt(prompt.promptId)?.endsTool === true;
  const outcome = foreseen ? "answered" : "uncertain";
  const session = ledger.store.sessions.find(prompt.sessionId);
  ledger.store.injections.end(reply.replyId, tx.now, outcome, null);
  ledger.store.replies.setState(reply.replyId, "done");
  return advancePrompt(ledger, tx, prompt, {
    event: { kind: "session_ended", planForesawEnd: foreseen },
    record: {
      step: "injection_ended",
      identity: reply.identity,
      details: { replyId: reply.replyId, outcome, evidence: ended },
    },
    text: describeEndedInjection(
      { label: labelReply(ledger, prompt, reply), who: reply.person, check: describeCheck(session) },
      foreseen,
      ended,
    ),
    answeredFrom: reply.identity,
  });
}

/** Ends the session's open prompts that its returned worker does not name: they are over, and this ledger did not see how. */
export function withdrawForgotten(ledger: Ledger, sessionId: SessionId, open: readonly string[]): void {
  const isForgotten = ({ promptId }: PromptRow): boolean => !open.includes(promptId);
  if (!ledger.store.prompts.listOpenInSession(sessionId).some(isForgotten)) return;
  ledger.commit((tx) => {
    for (const prompt of ledger.store.prompts.listOpenInSession(sessionId).filter(isForgotten)) {
      const reply = findReplyInProgress(ledger, prompt);
      if (reply) closeReply(ledger, tx, prompt, reply);
      advancePrompt(ledger, tx, prompt, {
        event: { kind: "withdrawn" },
        record: { step: "prompt_withdrawn", details: { reason: "forgotten" } },
        text: describeForgotten(reply && { label: labelReply(ledger, prompt, reply), who: reply.person }),
      });
    }
  });
}

function findReplyInProgress(ledger: Ledger, prompt: PromptRow): ReplyRow | null {
  return prompt.replyId === null ? null : ledger.store.replies.find(prompt.replyId);
}

function closeReply(ledger: Ledger, tx: Transaction, prompt: PromptRow, reply: ReplyRow): void {
  if (prompt.state === "injecting") ledger.store.injections.end(reply.replyId, tx.now, "withdrawn", null);
  ledger.store.replies.setState(reply.replyId, "void");
}

/** Tells the people who answered that the answer was not applied; the worker may never have received it. */
function addUnapplied(ledger: Ledger, prompt: PromptRow, reply: ReplyRow | null, text: string): string {
  return reply ? describeUnapplied(text, labelReply(ledger, prompt, reply), reply.person) : text;
}

function labelReply(ledger: Ledger, prompt: PromptRow, reply: ReplyRow): string {
  return describeAnswer(prompt.event, reply.value, ledger.options.safeText);
}
