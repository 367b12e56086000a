/** Accepts the answer that has won a prompt: stores it as a reply, uses up the nonce, and has it sent to the worker. */
import { assertInvariant } from "../../model/errors.js";
import { approvesHidden } from "../../model/hidden.js";
import { asId, type Identity, type PromptId, type ReplyId } from "../../model/ids.js";
import type { GrantTerms } from "../../model/grant-terms.js";
import { chooseNewlinePolicy } from "../../model/answer/newline.js";
import { STOP } from "../../model/answer/reply.js";
import type { Refusal } from "../../model/answer/refusal.js";
import { ANSWER_PICKUP_LIMIT_MS } from "../delivery/limits.js";
import { describeAnswer, describeNotPickedUp } from "../delivery/notices/outcome-text.js";
import { PRIORITY } from "../store/tables/outbox.js";
import type { PromptRow } from "../store/tables/prompts.js";
import { advancePrompt } from "./advance-prompt.js";
import type { Grant } from "../ledger/policy/grants.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";
import { withdrawTasks } from "../tasks/tasks.js";
import { buildAnswerRecord, computeSha256 } from "../ledger/answer-record.js";

export interface MessagePlace {
  readonly channel: string;
  readonly place: string;
}

export interface AnswerClaim {
  readonly value: string | null;
  readonly text?: string | undefined;
  readonly identity: Identity;
  /** Where the text was written; absent if the way itself proves the place (a card's button, our own socket). */
  readonly writtenAt?: MessagePlace | undefined;
  /** A uuid4 of the client, so that a retry after a lost connection is not refused as "used". */
  readonly replyId?: string | undefined;
  /** The person knows that part of the prompt is hidden, or not on their card, and approves nevertheless. */
  readonly acceptsHidden?: boolean | undefined;
  /** The two digits that some prompts want with a yes. */
  readonly number?: number | undefined;
  /** The person allows exactly this from now on, and the answer is the one that allows it once. */
  readonly grant?: GrantTerms | undefined;
}

export interface Accepted {
  readonly claimed: true;
  readonly prompt: PromptRow;
  readonly replyId: ReplyId;
  readonly grant?: Grant;
}

export type ClaimResult =
  Accepted | { readonly claimed: false; readonly promptId: PromptId | null; readonly rejection: Refusal };

export interface ValidatedAnswer extends AnswerClaim {
  readonly value: string;
  readonly name: string;
  /** How many characters of the prompt their card leaves out. */
  readonly unshown?: number;
}

/**
 * Stores the reply and uses up the nonce. The caller has checked authority, deadline and that `answer.value` is legal. In state
 * `detected` (the policy's own answer) there is no nonce yet, so it is created and used in one step.
 */
export function acceptAnswer(
  ledger: Ledger,
  tx: Transaction,
  prompt: PromptRow,
  answer: ValidatedAnswer,
): Accepted {
  const { event, promptId, sessionId } = prompt;
  const approvesUnseen = approvesHidden(event, answer.value, answer.unshown);
  assertInvariant(
    !approvesUnseen || answer.acceptsHidden === true,
    "unseen content would be approved without consent",
  );
  const nonce = prompt.nonce ?? ledger.options.random.nonce();
  const replyId = asId<ReplyId>(answer.replyId ?? ledger.options.random.uuid());
  const newlinePolicy = chooseNewlinePolicy(event.promptType, answer.value);
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
  const updated = advancePrompt(ledger, tx, prompt, {
    event: { kind: "claimed" },
    record: {
      step: "prompt_claimed",
      identity: answer.identity,
      details: {
        replyId,
        by: answer.name,
        contentHash: event.contentHash,
        ...(approvesUnseen && {
          hiddenCharacters: event.content.hidden?.characters,
          ...(answer.unshown && { unshownCharacters: answer.unshown }),
        }),
        ...buildAnswerRecord(event.promptType, answer),
      },
    },
    change: { nonceHash: computeSha256(nonce), replyId, answeredBy: answer.name, outcome: null },
  });
  if (event.constraints.stoppable && answer.value === STOP) withdrawTasks(ledger, sessionId);
  scheduleWaitingEdit(
    ledger,
    tx,
    updated,
    describeNotPickedUp(describeAnswer(event, answer.value, ledger.options.safeText), answer.name),
  );
  tx.emit({ kind: "reply", sessionId });
  return { claimed: true, prompt: updated, replyId };
}

/** Marks the card as waiting if the answer is not picked up, or has no outcome, in time; a later outcome replaces this edit. */
export function scheduleWaitingEdit(
  ledger: Ledger,
  tx: Transaction,
  { promptId }: PromptRow,
  text: string,
): void {
  const { store, options } = ledger;
  const editableChannels = new Set(
    options.configuredChannels().flatMap(({ id, capabilities }) => (capabilities.edit ? [id] : [])),
  );
  for (const { deliveryId, state, channel } of store.deliveries.listCards(promptId)) {
    if (state === "abandoned" || !editableChannels.has(channel)) continue;
    const outcome = { state: "refused", text, final: false } as const;
    store.outbox.addSettle(deliveryId, PRIORITY.edit, tx.now + ANSWER_PICKUP_LIMIT_MS, outcome);
    tx.emit({ kind: "outbox" });
  }
}
