/** The same things as the model types them and as the wire's schemas do: JSON has no readonly, no brands and no undefined. */
import type { PromptEvent } from "../../model/prompt.js";
import type { Reply } from "../../model/answer/reply.js";
import type { HubCalls, ParamsOf, WorkerCalls } from "../../wire/messages.js";

export function eventToWire(event: PromptEvent): ParamsOf<HubCalls, "prompt.raise"> {
  return event as unknown as ParamsOf<HubCalls, "prompt.raise">;
}

/** Its schema has checked every field. */
export function replyFromWire(params: ParamsOf<WorkerCalls, "reply.deliver">): Reply {
  return params as unknown as Reply;
}
