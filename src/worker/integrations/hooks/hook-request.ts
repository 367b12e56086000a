/** Turns a permission hook call into a pending request; the tool draws its own dialog at the same time. Pure. */
import { matchesCall } from "../../prompts/dialog-matches-call.js";
import type { PendingRequest, RequestResult } from "../../prompts/pending-request.js";
import { decideToolCall } from "../../prompts/tool-call-decision.js";
import type { ToolCallRequest } from "../../prompts/tool-call-request.js";

/** `reportsEnd` is absent: a call answered at the keyboard need not end. */
export function createHookRequest(call: ToolCallRequest): PendingRequest {
  return {
    source: { kind: "hook", name: call.event },
    prompt: createHookPrompt(call),
    answer: (given) => {
      const made = decideToolCall(call, given);
      return "behavior" in made ? { result: encodeHookOutput(call.event, { decision: made }) } : made;
    },
    // A hook without a decision leaves it to the tool's own dialog.
    cancelled: {},
    refused: {},
    isDrawnBy: (dialog) => matchesCall(dialog, call),
  };
}

/** The response of a hook to the tool. */
export function encodeHookOutput(event: string, output: object): RequestResult {
  return { hookSpecificOutput: { hookEventName: event, ...output } };
}

/** A permission's choices are ours and differ from the dialog's rows, so they get letters. A question has the same options in both. */
function createHookPrompt(call: ToolCallRequest): PendingRequest["prompt"] {
  if (call.promptType !== "multiple_choice" || call.questions.length > 0) return call;
  return { ...call, constraints: { ...call.constraints, lettered: true } };
}
