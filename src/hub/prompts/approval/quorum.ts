/** Approvals of several people: each counts once, for the answer that they gave, and only while they may still answer. */
import { createRefusal, type Refusal } from "../../../model/answer/refusal.js";
import { LOCAL_IDENTITY } from "../../../model/ids.js";
import { describeAnswer } from "../../delivery/notices/outcome-text.js";
import { readTerms } from "../../policy/verdict.js";
import { PRIORITY } from "../../store/tables/outbox.js";
import type { PromptRow } from "../../store/tables/prompts.js";
import type { People } from "../../people/people.js";
import type { Ledger, Transaction } from "../../ledger/ledger.js";
import type { ValidatedAnswer } from "../accept.js";
import {
  listApprovalPrompts,
  readApprovalState,
  writeApprovalState,
  type Approval,
} from "./approval-state.js";
import { ensureNumber, wantsNumber } from "./number.js";
import { listPeopleOf } from "../../ledger/policy/prompt-people.js";

export type Counted =
  /** The answer counts now; `by` names everybody who gave it. */
  { readonly ok: true; readonly by: string } | { readonly ok: false; readonly rejection: Refusal };

/** Counts an approval that is otherwise in order. */
export function countApproval(
  ledger: Ledger,
  tx: Transaction,
  prompt: PromptRow,
  answer: ValidatedAnswer,
): Counted {
  const { quorum = 1 } = readTerms(prompt.verdict);
  if (quorum < 2) return { ok: true, by: answer.name };
  const people = listPeopleOf(ledger, prompt);
  // The person at this machine may be one of those who have approved on their phone.
  const isKnown = people.some(({ identities }) => identities.includes(answer.identity));
  if (!isKnown) return { ok: false, rejection: createRefusal("not_a_person") };
  const state = readApprovalState(ledger, prompt);
  const own: Approval = { person: answer.name, value: answer.value };
  const others = keepCounting(state.approvals, people).filter(({ person }) => person !== own.person);
  const approvals = [...others, own];
  writeApprovalState(ledger, prompt, { ...state, approvals });
  const same = approvals.filter(({ value }) => value === own.value).map(({ person }) => person);
  tx.record({
    step: "approval_given",
    sessionId: prompt.sessionId,
    promptId: prompt.promptId,
    identity: answer.identity,
    details: { by: own.person, count: same.length, quorum },
  });
  if (same.length >= quorum) return { ok: true, by: listNames(same) };
  showCount(ledger, tx, prompt, describeCount(ledger, prompt, approvals, quorum));
  // Only the reply to a tap is private: the reply to a message may be read by all in the chat.
  const isPrivate = answer.writtenAt === undefined || answer.identity === LOCAL_IDENTITY;
  const number =
    wantsNumber(prompt, answer.value) && isPrivate
      ? ` The next person must write the number ${ensureNumber(ledger, prompt)}: tell them.`
      : "";
  const text = `${same.length} of ${quorum} said yes. Nothing was typed yet: ${quorum - same.length} more must approve.${number}`;
  return { ok: false, rejection: createRefusal("more_needed", text) };
}

function keepCounting(approvals: readonly Approval[], people: People): Approval[] {
  return approvals.filter(({ person }) =>
    people.some(({ name, role }) => name === person && role === "approver"),
  );
}

/** Call when the configuration may have changed: cards name no approval of somebody who may not answer any more. */
export function recountApprovals(ledger: Ledger): void {
  const { store, options } = ledger;
  const counted = listApprovalPrompts(ledger)
    .map((promptId) => store.prompts.find(promptId))
    .filter((prompt) => prompt?.state === "pending");
  for (const prompt of counted) {
    if (!prompt) continue;
    const { quorum = 1 } = readTerms(prompt.verdict);
    const state = readApprovalState(ledger, prompt);
    const approvals = keepCounting(state.approvals, listPeopleOf(ledger, prompt));
    const gone = state.approvals.filter((approval) => !approvals.includes(approval));
    if (gone.length === 0) continue;
    ledger.commit((tx) => {
      writeApprovalState(ledger, prompt, { ...state, approvals });
      for (const { person: by } of gone)
        tx.record({
          step: "approval_dropped",
          sessionId: prompt.sessionId,
          promptId: prompt.promptId,
          details: { by, count: approvals.length, quorum },
        });
      const names = listNames(gone.map(({ person }) => person));
      const left =
        approvals.length === 0 ? `🗳 0 of ${quorum}` : describeCount(ledger, prompt, approvals, quorum);
      showCount(
        ledger,
        tx,
        prompt,
        options.safeText(`${left}. No longer counted: ${names}, who may not answer any more`),
      );
    });
  }
}

function describeCount(
  { options }: Ledger,
  { event }: PromptRow,
  approvals: readonly Approval[],
  quorum: number,
): string {
  const values = [...new Set(approvals.map(({ value }) => value))];
  const lines = values.map((value) => {
    const names = approvals.filter((approval) => approval.value === value).map(({ person }) => person);
    const label = describeAnswer(event, value, options.safeText);
    return `${names.length} of ${quorum}: ${listNames(names)} said “${label}”`;
  });
  return options.safeText(`🗳 ${lines.join("; ")}`);
}

function listNames(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}

function showCount(ledger: Ledger, tx: Transaction, prompt: PromptRow, text: string): void {
  const { store } = ledger;
  store.prompts.move(prompt, { outcome: text });
  for (const { deliveryId, state } of store.deliveries.listCards(prompt.promptId)) {
    if (state === "abandoned") continue;
    store.outbox.addSettle(deliveryId, PRIORITY.settleByTap, tx.now, {
      state: "refused",
      text,
      final: false,
    });
  }
  tx.emit({ kind: "outbox" });
  tx.emit({ kind: "prompt", promptId: prompt.promptId });
}
