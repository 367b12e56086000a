/** Carries out one step in a prompt's life: the lifecycle table decides, the row changes, the step is recorded and its effects follow. */
import { createHash } from "node:crypto";
import { assertInvariant } from "../../model/errors.js";
import type { Identity } from "../../model/ids.js";
import { advance, isOpen, type LifecycleEvent } from "../../model/lifecycle.js";
import { describeCurrentOutcome } from "../delivery/cards.js";
import { getChannel } from "../people/people.js";
import { PRIORITY } from "../store/tables/outbox.js";
import type { PromptProgress, PromptRow } from "../store/tables/prompts.js";
import type { AuditEntry } from "../store/store.js";
import { findFirstReminder } from "./rules/escalation.js";
import { enqueueAtRoutes, enqueueNotices } from "../ledger/enqueue-notices.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";

export interface PromptStep {
  readonly event: LifecycleEvent;
  /** Absent if the caller has already written the record because it needed its position. */
  readonly record?: Omit<AuditEntry, "sessionId" | "promptId">;
  readonly change?: Partial<PromptProgress>;
  /** The outcome line of every card; required where the table settles the prompt. */
  readonly text?: string;
  /** Who gave the settling answer: their card is updated first. */
  readonly answeredFrom?: Identity;
}

/** Applies the step and returns the new row. Throws InvariantError for a step outside the lifecycle table. */
export function advancePrompt(ledger: Ledger, tx: Transaction, row: PromptRow, step: PromptStep): PromptRow {
  const { state, effects } = advance(row.state, step.event);
  const change = {
    nonce: null,
    ...(effects.includes("mint_nonce") ? mintNonce(ledger) : {}),
    ...(effects.includes("remind_later") ? { remindAt: findFirstReminder(ledger, row, tx.now) } : {}),
    ...(isOpen(state) ? {} : { closedAt: tx.now }),
    ...(step.text === undefined ? {} : { outcome: step.text }),
    ...step.change,
    state,
  };
  // No other process can have changed it: the write lock is held since the row was read.
  assertInvariant(
    ledger.store.prompts.move(row, change),
    `prompt ${row.promptId} moved under its own transaction`,
  );
  if (step.record) tx.record({ ...step.record, sessionId: row.sessionId, promptId: row.promptId });
  const moved = { ...row, ...change };
  if (effects.includes("deliver")) enqueueNotices(ledger, tx, moved);
  if (effects.includes("settle")) settleCards(ledger, tx, moved, step);
  if (step.event.kind === "refused" || step.event.kind === "receipt") informUnasked(ledger, tx, moved);
  tx.emit({ kind: "prompt", promptId: row.promptId });
  tx.emit({ kind: "deadlines" });
  return moved;
}

/** The nonce leaves the hub only with the reply that uses it; until then the worker knows its hash. */
function mintNonce(ledger: Ledger): Pick<PromptProgress, "nonce" | "nonceHash"> {
  const nonce = ledger.options.random.nonce();
  return { nonce, nonceHash: createHash("sha256").update(nonce).digest("hex") };
}

/** A prompt that a rule answered has no card: people hear of an answer that was not confirmed, and are asked if it was refused. */
function informUnasked(ledger: Ledger, tx: Transaction, row: PromptRow): void {
  if (ledger.store.deliveries.listCards(row.promptId).some(({ state }) => state !== "abandoned")) return;
  if (row.state === "pending") enqueueNotices(ledger, tx, row);
  const session = ledger.store.sessions.find(row.sessionId);
  if ((row.state !== "uncertain" && row.state !== "failed") || session === null) return;
  const text = ledger.options.safeText(
    `${row.shortId} · ${session.tool}: ${row.event.excerpt}\n${row.outcome ?? ""}`,
  );
  enqueueAtRoutes(ledger, tx, session, { text, role: null, dueAt: tx.now });
}

function settleCards(ledger: Ledger, tx: Transaction, row: PromptRow, step: PromptStep): void {
  const outcome = describeCurrentOutcome(row);
  assertInvariant(outcome, "a settled prompt without words for its cards");
  const from = step.answeredFrom === undefined ? null : getChannel(step.answeredFrom);
  for (const { deliveryId, state, channel } of ledger.store.deliveries.listCards(row.promptId)) {
    if (state === "abandoned") continue;
    const priority = channel === from ? PRIORITY.settleByTap : PRIORITY.edit;
    ledger.store.outbox.addSettle(deliveryId, priority, tx.now, outcome);
    tx.emit({ kind: "outbox" });
  }
  for (const { deliveryId } of outcome.final ? ledger.store.deliveries.listOffers(row.promptId) : [])
    ledger.store.outbox.addSettle(deliveryId, PRIORITY.edit, tx.now, outcome);
}
