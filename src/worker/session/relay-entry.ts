/** What the relay knows of one prompt, and what of it the hub does not know yet. */
import type { ReplyId } from "../../model/ids.js";
import type { PromptEvent } from "../../model/prompt.js";
import type { InjectionResult, PromptNote, WithdrawReason } from "../../sdk/adapter.js";
import type { HubState } from "./reach.js";

export interface RelayEntry {
  readonly event: PromptEvent;
  /** Whether the hub of this connection has it. */
  atHub: HubState;
  nonceHash: string | null;
  withdrawn: WithdrawReason | null;
  /** What the hub has yet to write on its cards. */
  note: PromptNote | null;
  /** The answer that is being injected or was; `result` once it is known. */
  answer: { readonly replyId: ReplyId; result: InjectionResult | null } | null;
  syncing: boolean;
  again: boolean;
}

export function createEntry(event: PromptEvent): RelayEntry {
  return {
    event,
    atHub: "unanswered",
    nonceHash: null,
    withdrawn: null,
    note: null,
    answer: null,
    syncing: false,
    again: false,
  };
}

/** Whether something changed while the round was in progress. */
export function needsAnotherRound(entry: RelayEntry): boolean {
  return entry.again;
}
