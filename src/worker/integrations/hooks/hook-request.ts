/** A permission hook that waits for a decision, as a request: the tool draws its dialog beside it. Pure. */
import { matchesCall } from "../../prompts/dialog-matches-call.js";
import type { PendingRequest, RequestResult } from "../../prompts/pending-request.js";
import { behaviourFor } from "../../prompts/tool-call-decision.js";
import type { ToolCallRequest } from "../../prompts/tool-call-request.js";

/** One that was answered at the keyboard need not end: `reportsEnd` is absent. */
export function hookRequest(call: ToolCallRequest): PendingRequest {
  return {
    source: { kind: "hook", name: call.event },
    question: withLetters(call),
    answer: (given) => {
      const made = behaviourFor(call, given);
      return "behavior" in made ? { result: hookOutput(call.event, { decision: made }) } : made;
    },
    // A hook without an opinion leaves it to the tool's own dialog.
    cancelled: {},
    refused: {},
    isDrawnBy: (dialog) => matchesCall(dialog, call),
  };
}

/** What a hook says to the tool. */
export function hookOutput(event: string, output: object): RequestResult {
  return { hookSpecificOutput: { hookEventName: event, ...output } };
}

/** A permission's choices are ours, where the dialog beside it has rows of its own. The options of a question are the same in both. */
function withLetters(call: ToolCallRequest): PendingRequest["question"] {
  if (call.promptType !== "multiple_choice" || call.questions.length > 0) return call;
  return { ...call, constraints: { ...call.constraints, lettered: true } };
}
