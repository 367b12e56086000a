/** Deadlines and reminders. By default no key is typed at a deadline, and the cards say so. */
import { TIMEOUT_IDENTITY } from "../../model/ids.js";
import { findRejectingValue } from "../../model/answer/rejecting.js";
import { parseLegalValue } from "../../model/answer/reply.js";
import { EXPIRED_TEXT } from "../delivery/notices/outcome-text.js";
import { getDisplayName } from "../people/people.js";
import { findQuietEnd, isUrgent } from "../people/quiet-hours.js";
import { mayAnswerAutomatically } from "../policy/automatic.js";
import { readStoredVerdict, type StoredVerdict } from "../policy/verdict.js";
import type { PromptRow } from "../store/tables/prompts.js";
import { advancePrompt } from "./advance-prompt.js";
import { acceptAnswer } from "./accept.js";
import { endCountdown } from "./rules/countdown.js";
import { describeEscalation, planReminders, openEscalatedCards } from "./rules/escalation.js";
import { enqueueReminders } from "../ledger/enqueue-notices.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";
import { isPaused } from "../ledger/pause.js";
import { explainUnknownState } from "../ledger/unknown-state.js";

/** Services tell of a tap no time. After a longer gap most answers were given too late, so the prompt has expired for all. */
const CATCH_UP_PAST_MAX_MS = 10 * 60_000;

/**
 * An answer exactly at the deadline is late. `now` is the hub's clock: the timestamp of a message does not count. After a gap in
 * which the hub received nothing, the deadline waits until answers that were given in time have come in; the tool's own time limit
 * does not.
 */
export function isPastDeadline(
  { listeningGaps }: Ledger,
  { deadlineAt, createdAt, event }: PromptRow,
  now: number,
): boolean {
  if (deadlineAt === null || now < deadlineAt) return false;
  const isLongPast = now - deadlineAt > CATCH_UP_PAST_MAX_MS;
  if (isLongPast || event.constraints.answerBy !== undefined) return true;
  return listeningGaps.computeWaitMs(createdAt) === 0;
}

/** Ends a pending prompt at its deadline, without an answer or with the rejecting one. Returns its new state. */
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
      if (isPastDeadline(ledger, prompt, tx.now)) applyDeadline(ledger, tx, prompt);
      else if (endCountdown(ledger, tx, prompt)) return;
      else if (prompt.remindAt !== null && tx.now >= prompt.remindAt) remind(ledger, tx, prompt);
    });
  }
}

/** Reminders wait while a person types, who already sees the prompt at the terminal, and during quiet hours. */
function findSilenceEnd(ledger: Ledger, { sessionId, verdict }: PromptRow, now: number): number {
  const { quiet_hours, prompts } = ledger.options.settings();
  const isHeard = isUrgent(quiet_hours, readStoredVerdict(verdict).classes ?? []);
  return (
    (isHeard ? null : findQuietEnd(quiet_hours, now)) ??
    ledger.presence.computeHoldEnd(sessionId, now, prompts.deliver_after)
  );
}

function remind(ledger: Ledger, tx: Transaction, prompt: PromptRow): void {
  const until = findSilenceEnd(ledger, prompt, tx.now);
  if (until > tx.now) {
    ledger.store.prompts.move(prompt, { remindAt: until });
    tx.emit({ kind: "deadlines" });
    return;
  }
  const next = planReminders(ledger, prompt, tx.now);
  ledger.store.prompts.move(prompt, next);
  const reminded = { ...prompt, ...next };
  const escalatedTo = describeEscalation(ledger, reminded);
  const addressee =
    escalatedTo === null ? "" : `; ${ledger.options.safeText(escalatedTo)} is now asked as well`;
  const session = ledger.store.sessions.find(prompt.sessionId);
  const question = ledger.options.safeText(`${session?.tool ?? ""}: ${prompt.event.excerpt}`);
  const unknown = session === null ? null : explainUnknownState(ledger, session);
  const state =
    unknown === null
      ? `is still waiting for an answer${addressee}.`
      : `has no answer${addressee}. Whether it still waits is not known: its session is ${unknown}.`;
  const text = `⏰ ${prompt.shortId} ${state} ${question}`;
  enqueueReminders(ledger, tx, reminded, text);
  openEscalatedCards(ledger, tx, prompt, reminded);
  // The people of the new step may be reachable although the earlier ones were not.
  tx.emit({ kind: "prompt", promptId: prompt.promptId });
  tx.record({
    step: "prompt_reminded",
    sessionId: prompt.sessionId,
    promptId: prompt.promptId,
    details: { reminder: next.reminders, ...(escalatedTo !== null && { to: escalatedTo }) },
  });
  tx.emit({ kind: "deadlines" });
}
