/** Turns a form that the tool previewed into a request that people can fill in. Pure. */
import { formatInput } from "../../prompts/content/request-content.js";
import type { ToolCallRequest } from "../../prompts/tool-call-request.js";
import type { PreviewedCall } from "../../adapter-format/compiled/compiled-hooks.js";
import type { PendingRequest } from "../../prompts/pending-request.js";
import { createElicitationRequest } from "../../prompts/content/elicitation.js";

/** Null when it is no form, or cannot be filled in completely: then only its dialog remains. */
export function createPreviewedForm(
  { input }: ToolCallRequest,
  { form }: PreviewedCall,
): PendingRequest | null {
  if (form === null) return null;
  const { [form.message]: message, [form.schema]: requestedSchema, ...others } = input;
  return createElicitationRequest({ mode: "form", message, requestedSchema }, formatInput(others, []));
}
