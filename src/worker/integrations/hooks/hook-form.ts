/** A form that the tool told of, as people are asked to fill it in. Pure. */
import { inputText } from "../../prompts/content/request-content.js";
import type { ToolCallRequest } from "../../prompts/tool-call-request.js";
import type { PreviewedCall } from "../../adapter-format/compiled/compiled-hooks.js";
import type { PendingRequest } from "../../prompts/pending-request.js";
import { elicitationAsking } from "../../prompts/content/elicitation.js";

/** Null where it is none, or none that can be filled in whole: then its dialog is all there is. */
export function toldForm({ input }: ToolCallRequest, { form }: PreviewedCall): PendingRequest | null {
  if (form === null) return null;
  const { [form.message]: message, [form.schema]: requestedSchema, ...others } = input;
  return elicitationAsking({ mode: "form", message, requestedSchema }, inputText(others, []));
}
