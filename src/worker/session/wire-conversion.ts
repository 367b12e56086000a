/** Casts between the model's types and those of the wire's schemas, which know no readonly, no brands and no undefined. Nothing is converted. */
import type { PromptEvent } from "../../model/prompt.js";
import type { Reply } from "../../model/answer/reply.js";
import type { HubCalls, ParamsOf, WorkerCalls } from "../../wire/messages.js";

export function toWireEvent(event: PromptEvent): ParamsOf<HubCalls, "prompt.raise"> {
  return event as unknown as ParamsOf<HubCalls, "prompt.raise">;
}

/** The schema has checked every field. */
export function toReply(params: ParamsOf<WorkerCalls, "reply.deliver">): Reply {
  return params as unknown as Reply;
}
