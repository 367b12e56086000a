/** The countdown of a suggested answer (mode `assist`), stored as the prompt's next reminder, so a restart loses nothing. */
import type { Identity } from "../../../model/ids.js";
import { createRefusal, type Refusal } from "../../../model/answer/refusal.js";
import type { PromptRow } from "../../store/tables/prompts.js";
import { isPaused } from "../../ledger/pause.js";
import { getMode } from "../../ledger/policy/policy-mode.js";
import { isRelayPaused } from "../../store/relay-pause.js";
import type { Ledger, Transaction } from "../../ledger/ledger.js";
import { acceptRuleAnswer, findDueAnswer, findRuleAnswer } from "./rule-answer.js";
import { USES_SCOPE } from "./rule-uses.js";
import { mayApprove } from "../../ledger/policy/prompt-people.js";

/** When the suggested answer is given; null: it is not, or not any more. */
export function findCountdown(ledger: Ledger, prompt: PromptRow): number | null {
  if (prompt.remindAt === null || prompt.reminders > 0 || isOver(ledger, prompt)) return null;
  const answer = findRuleAnswer(prompt);
  // A grant answers at once or not at all.
  const isSuggested = answer !== null && answer.grant === undefined;
  return isSuggested && getMode(ledger, prompt.sessionId) === "assist" ? prompt.remindAt : null;
}

/** While a chat with the card is not connected, nobody can stop the answer from there: how soon to look again. */
const NOT_CONNECTED_LOOK_MS = 5_000;

/**
 * Gives the suggested answer if its time has come and it is still valid. It waits while people could not have stopped it: after a
 * gap in which the hub received nothing, and while a channel that has the card is not connected. True: the prompt was handled.
 */
export function endCountdown(ledger: Ledger, tx: Transaction, prompt: PromptRow): boolean {
  const due = findCountdown(ledger, prompt);
  if (due === null || tx.now < due) return false;
  const waitMs = computeWaitMs(ledger, prompt);
  if (waitMs > 0) {
    ledger.store.prompts.move(prompt, { remindAt: tx.now + waitMs });
    tx.emit({ kind: "deadlines" });
    return true;
  }
  stop(ledger, prompt);
  const isStopped = isPaused(ledger) || isRelayPaused(ledger.store, prompt.sessionId);
  const answer = isStopped ? null : findDueAnswer(ledger, prompt, tx.now);
  if (answer === null) return false;
  acceptRuleAnswer(ledger, tx, prompt, answer);
  return true;
}

/** A person wants to decide: the rule does not answer this prompt any more. */
export function holdPrompt(
  ledger: Ledger,
  tx: Transaction,
  prompt: PromptRow | null,
  identity: Identity,
): Refusal | null {
  if (!mayApprove(ledger, prompt, identity)) return createRefusal("not_allowed");
  if (prompt?.state !== "pending" || findCountdown(ledger, prompt) === null)
    return createRefusal("unknown_prompt", "No answer of a rule is waiting there.");
  stop(ledger, prompt);
  const { promptId, sessionId } = prompt;
  tx.record({ step: "countdown_stopped", sessionId, promptId, identity });
  const [first] = ledger.options.settings().prompts.remind_after;
  ledger.store.prompts.move(prompt, { remindAt: first === undefined ? null : tx.now + first });
  tx.emit({ kind: "deadlines" });
  return null;
}

function computeWaitMs(
  { listeningGaps, options, store }: Ledger,
  { promptId, createdAt }: PromptRow,
): number {
  const configured = options.configuredChannels().map(({ id }) => id);
  const isCut = store.deliveries
    .listCards(promptId)
    .some(({ channel }) => configured.includes(channel) && !listeningGaps.isOpen(channel));
  return Math.max(Math.ceil(listeningGaps.computeWaitMs(createdAt)), isCut ? NOT_CONNECTED_LOOK_MS : 0);
}

function isOver(ledger: Ledger, { sessionId, promptId }: PromptRow): boolean {
  return ledger.store.settings.get(USES_SCOPE, `${sessionId}/:${promptId}`) !== null;
}

function stop(ledger: Ledger, { sessionId, promptId }: PromptRow): void {
  ledger.store.settings.set(USES_SCOPE, `${sessionId}/:${promptId}`, "over");
}
