/** Casts between the model's types and those of the wire's schemas, which have no readonly, brands or undefined. */
import type { PromptEvent } from "../../model/prompt.js";
import type { Reply } from "../../model/answer/reply.js";
import type { HubCalls, ParamsOf, WorkerCalls } from "../../wire/messages.js";

export function toWireEvent(event: PromptEvent): ParamsOf<HubCalls, "prompt.raise"> {
  return event as unknown as ParamsOf<HubCalls, "prompt.raise">;
}

export function toReply(params: ParamsOf<WorkerCalls, "reply.deliver">): Reply {
  return params as unknown as Reply;
}
