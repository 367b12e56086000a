/** Deadlines and reminders. By default nothing is typed at a deadline, and people are told so. */
import { TIMEOUT_IDENTITY } from "../../model/ids.js";
import { findRejectingValue } from "../../model/answer/rejecting.js";
import { parseLegalValue } from "../../model/answer/reply.js";
import { EXPIRED_TEXT } from "../delivery/notices/outcome-text.js";
import { getDisplayName } from "../people/people.js";
import { findQuietEnd } from "../people/quiet-hours.js";
import { mayAnswerAutomatically } from "../policy/automatic.js";
import type { StoredVerdict } from "../policy/verdict.js";
import type { PromptRow } from "../store/tables/prompts.js";
import { advancePrompt } from "./advance-prompt.js";
import { acceptAnswer } from "./accept.js";
import { enqueueReminders } from "../ledger/enqueue-notices.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";
import { isPaused } from "../ledger/pause.js";

/**
 * Ends a pending prompt at its deadline: either nothing is typed, or the rejecting answer is given where that is allowed.
 * Returns the prompt's new state.
 */
export function applyDeadline(ledger: Ledger, tx: Transaction, prompt: PromptRow): PromptRow {
  const value = isPaused(ledger) ? null : findExpiryAnswer(prompt);
  if (value === null) {
    return advancePrompt(ledger, tx, prompt, {
      event: { kind: "expired" },
      record: { step: "prompt_expired", details: { deadlineAt: prompt.deadlineAt } },
      text: EXPIRED_TEXT,
    });
  }
  const byTimeout = { value, identity: TIMEOUT_IDENTITY, name: getDisplayName(TIMEOUT_IDENTITY) };
  return acceptAnswer(ledger, tx, prompt, byTimeout).prompt;
}

/** The answer given at the deadline unless the hub is paused then; null: none. */
export function findExpiryAnswer(prompt: PromptRow): string | null {
  const { onExpiry } = JSON.parse(prompt.verdict) as Partial<StoredVerdict>;
  if (onExpiry !== "safe_default") return null;
  // The tool will have continued by then.
  if (prompt.event.constraints.answerBy !== undefined) return null;
  if (prompt.deadlineAt === null || !prompt.answerable || !mayAnswerAutomatically(prompt.event)) return null;
  const value = findRejectingValue(prompt.event);
  return value !== null && parseLegalValue(prompt.event, value).ok ? value : null;
}

/** Processes a batch of due deadlines and reminders. The caller runs it again when the next is due, possibly at once. Idempotent. */
export function processDuePrompts(ledger: Ledger): void {
  const { clock } = ledger.options;
  ledger.followClock();
  for (const { promptId } of ledger.store.prompts.listDue(clock.now())) {
    ledger.commit((tx) => {
      const prompt = ledger.store.prompts.find(promptId);
      if (prompt?.state !== "pending") return;
      if (prompt.deadlineAt !== null && tx.now >= prompt.deadlineAt) applyDeadline(ledger, tx, prompt);
      else if (prompt.remindAt !== null && tx.now >= prompt.remindAt) remind(ledger, tx, prompt);
    });
  }
}

/** Reminders wait while someone types at the terminal, because they see the prompt, and during quiet hours. */
function findSilenceEnd(ledger: Ledger, { sessionId }: PromptRow, now: number): number {
  const { quiet_hours, prompts } = ledger.options.settings();
  return (
    findQuietEnd(quiet_hours, now) ?? ledger.presence.computeHoldEnd(sessionId, now, prompts.deliver_after)
  );
}

/** Sends one reminder, even if several fell due. */
function remind(ledger: Ledger, tx: Transaction, prompt: PromptRow): void {
  const until = findSilenceEnd(ledger, prompt, tx.now);
  if (until > tx.now) {
    ledger.store.prompts.move(prompt, { remindAt: until });
    tx.emit({ kind: "deadlines" });
    return;
  }
  const plan = ledger.options.settings().prompts.remind_after.map((ms) => prompt.createdAt + ms);
  const remindAt = plan.sort((a, b) => a - b).find((at) => at > tx.now) ?? null;
  ledger.store.prompts.move(prompt, { remindAt, reminders: prompt.reminders + 1 });
  const tool = ledger.store.sessions.find(prompt.sessionId)?.tool ?? "";
  const question = ledger.options.safeText(`${tool}: ${prompt.event.excerpt}`);
  enqueueReminders(ledger, tx, prompt, `⏰ ${prompt.shortId} is still waiting for an answer. ${question}`);
  tx.record({
    step: "prompt_reminded",
    sessionId: prompt.sessionId,
    promptId: prompt.promptId,
    details: { reminder: prompt.reminders + 1 },
  });
  tx.emit({ kind: "deadlines" });
}
