import type { ReplyId } from "../../model/ids.js";
import type { PromptEvent } from "../../model/prompt.js";
import type { InjectionResult, PromptNote, Withdrawn } from "../../sdk/adapter.js";
import type { HubState } from "./reach.js";

/** The state of one prompt, and the reports about it that the hub still needs. */
export class RelayEntry {
  readonly event: PromptEvent;
  atHub: HubState = "unanswered";
  nonceHash: string | null = null;
  withdrawn: Pick<Withdrawn, "reason" | "answer"> | null = null;
  note: PromptNote | null = null;
  /** The answer that was injected or is being injected; `result` once known. */
  answer: { readonly replyId: ReplyId; result: InjectionResult | null } | null = null;
  syncing = false;
  again = false;

  constructor(event: PromptEvent) {
    this.event = event;
  }
}
