/** Turns a permission call of a hook, or a previewed form, into a pending request. Pure. */
import type { PreviewedCall } from "../../adapter-format/compiled/compiled-hooks.js";
import { createElicitationRequest } from "../../prompts/content/elicitation.js";
import { formatInput } from "../../prompts/content/request-content.js";
import { matchesCall } from "../../prompts/dialog-matches-call.js";
import type { PendingRequest, RequestResult } from "../../prompts/pending-request.js";
import { decideToolCall } from "../../prompts/tool-call-decision.js";
import type { ToolCallRequest } from "../../prompts/tool-call-request.js";

/** A call that was answered at the keyboard need not end, so `reportsEnd` is absent. */
export function createHookRequest(call: ToolCallRequest): PendingRequest {
  return {
    source: { kind: "hook", name: call.event },
    prompt: createHookPrompt(call),
    answer: (given) => {
      const made = decideToolCall(call, given);
      return "behavior" in made ? { result: encodeHookOutput(call.event, { decision: made }) } : made;
    },
    // Without a decision the tool asks in its own dialog.
    cancelled: {},
    refused: {},
    matchesDialog: (dialog) => matchesCall(dialog, call),
  };
}

export function encodeHookOutput(event: string, output: object): RequestResult {
  return { hookSpecificOutput: { hookEventName: event, ...output } };
}

/** A permission has letters, because its choices differ from the dialog's rows. */
function createHookPrompt(call: ToolCallRequest): PendingRequest["prompt"] {
  if (call.promptType !== "multiple_choice" || call.questions.length > 0) return call;
  return { ...call, constraints: { ...call.constraints, lettered: true } };
}

/** Null where it is no form, or cannot be filled in completely. */
export function createPreviewedForm(
  { input }: ToolCallRequest,
  { form }: PreviewedCall,
): PendingRequest | null {
  if (form === null) return null;
  const { [form.message]: message, [form.schema]: requestedSchema, ...others } = input;
  return createElicitationRequest({ mode: "form", message, requestedSchema }, formatInput(others, []));
}
