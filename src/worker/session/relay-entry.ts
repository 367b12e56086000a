/** The state of one prompt, and the reports about it that the hub still needs. */
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
  note: PromptNote | null;
  /** The answer that was injected or is being injected; `result` once known. */
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

export function needsAnotherRound(entry: RelayEntry): boolean {
  return entry.again;
}
