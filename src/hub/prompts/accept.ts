import { invariant } from "../../model/errors.js";
import { approvesHidden } from "../../model/hidden.js";
import { asId, type Identity, type PromptId, type ReplyId } from "../../model/ids.js";
import { newlinePolicyOf } from "../../model/answer/newline.js";
import { STOP } from "../../model/answer/reply.js";
import type { Rejection } from "../../model/answer/rejection.js";
import { UNTAKEN_AFTER_MS } from "../delivery/limits.js";
import { answerLabel, untakenText } from "../delivery/notices/outcome-text.js";
import { PRIORITY } from "../store/tables/outbox.js";
import type { PromptRow } from "../store/tables/prompts.js";
import { advancePrompt } from "./advance-prompt.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";
import { withdrawTasks } from "../tasks/tasks.js";
import { answerRecord, sha256 } from "../ledger/answer-record.js";

export interface SaidAt {
  readonly channel: string;
  readonly place: string;
}

export interface ClaimedAnswer {
  /** Null: the safe default, whatever it is. */
  readonly value: string | null;
  readonly text?: string | undefined;
  readonly identity: Identity;
  /** Where words were said that answer it; absent where the way itself proves the place (a button of a card, our own socket). */
  readonly saidAt?: SaidAt | undefined;
  /** uuid4 of a client that may have to ask again after a lost connection; the same one is never told "used". */
  readonly replyId?: string | undefined;
  /** Its person was told that a part of the prompt is hidden, and approves all the same. */
  readonly acceptsHidden?: boolean | undefined;
}

export interface Accepted {
  readonly claimed: true;
  readonly prompt: PromptRow;
  readonly replyId: ReplyId;
}

export type ClaimResult =
  Accepted | { readonly claimed: false; readonly promptId: PromptId | null; readonly rejection: Rejection };

export interface AcceptedAnswer extends ClaimedAnswer {
  readonly value: string;
  /** Who it was, as people are told. */
  readonly name: string;
}

/**
 * Stores the reply and uses up the nonce. `answer.value` is legal; authority and deadline are judged. From `detected` (the
 * policy's own answer) there is no nonce yet: it is minted and used in one.
 */
export function accept(ledger: Ledger, tx: Transaction, prompt: PromptRow, answer: AcceptedAnswer): Accepted {
  const { event, promptId, sessionId } = prompt;
  const isUnseen = approvesHidden(event, answer.value);
  invariant(!isUnseen || answer.acceptsHidden === true, "hidden content was about to be approved unasked");
  const nonce = prompt.nonce ?? ledger.options.random.nonce();
  const replyId = asId<ReplyId>(answer.replyId ?? ledger.options.random.uuid());
  const newlinePolicy = newlinePolicyOf(event.promptType, answer.value);
  ledger.store.replies.insert({
    replyId,
    promptId,
    sessionId,
    value: answer.value,
    text: answer.text ?? null,
    nonce,
    identity: answer.identity,
    person: answer.name,
    newlinePolicy,
    state: "waiting",
    receivedAt: tx.now,
  });
  const moved = advancePrompt(ledger, tx, prompt, {
    event: { kind: "claimed" },
    record: {
      step: "prompt_claimed",
      identity: answer.identity,
      details: {
        replyId,
        by: answer.name,
        contentHash: event.contentHash,
        ...(isUnseen && { hiddenCharacters: event.content.hidden?.characters }),
        ...answerRecord(event.promptType, answer),
      },
    },
    change: { nonceHash: sha256(nonce), replyId, answeredBy: answer.name, outcome: null },
  });
  if (event.constraints.stoppable && answer.value === STOP) withdrawTasks(ledger, sessionId);
  scheduleUntakenEdit(
    ledger,
    tx,
    moved,
    untakenText(answerLabel(event, answer.value, ledger.options.safeText), answer.name),
  );
  tx.tell({ kind: "reply", sessionId });
  return { claimed: true, prompt: moved, replyId };
}

/** A card that goes on saying that it is open would be wrong by then; whatever comes first takes its place. */
function scheduleUntakenEdit(ledger: Ledger, tx: Transaction, { promptId }: PromptRow, text: string): void {
  const { store, options } = ledger;
  const edits = new Set(
    options.configuredChannels().flatMap(({ id, capabilities }) => (capabilities.edit ? [id] : [])),
  );
  for (const { deliveryId, state, channel } of store.deliveries.cardsOf(promptId)) {
    if (state === "abandoned" || !edits.has(channel)) continue;
    const outcome = { state: "refused", text, final: false } as const;
    store.outbox.addSettle(deliveryId, PRIORITY.edit, tx.now + UNTAKEN_AFTER_MS, outcome);
    tx.tell({ kind: "outbox" });
  }
}
