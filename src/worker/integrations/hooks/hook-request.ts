/** Turns a permission hook call, or a previewed form, into a pending request; the tool draws its own dialog at the same time. Pure. */
import type { PreviewedCall } from "../../adapter-format/compiled/compiled-hooks.js";
import { createElicitationRequest } from "../../prompts/content/elicitation.js";
import { formatInput } from "../../prompts/content/request-content.js";
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
    matchesDialog: (dialog) => matchesCall(dialog, call),
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

/** A form that the tool previewed, as a request that people can fill in. Null when it is no form, or cannot be filled in completely: then only its dialog remains. */
export function createPreviewedForm(
  { input }: ToolCallRequest,
  { form }: PreviewedCall,
): PendingRequest | null {
  if (form === null) return null;
  const { [form.message]: message, [form.schema]: requestedSchema, ...others } = input;
  return createElicitationRequest({ mode: "form", message, requestedSchema }, formatInput(others, []));
}
