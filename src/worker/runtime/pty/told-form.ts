/** A form that the tool told of, as people are asked to fill it in. Pure. */
import { inputText } from "../../detect/ask-content.js";
import type { Ask } from "../../detect/ask.js";
import type { ToldCall } from "../../detect/compiled-hooks.js";
import type { Asking } from "../asking.js";
import { elicitationAsking } from "../elicitation.js";

/** Null where it is none, or none that can be filled in whole: then its dialog is all there is. */
export function toldForm({ input }: Ask, { form }: ToldCall): Asking | null {
  if (form === null) return null;
  const { [form.message]: message, [form.schema]: requestedSchema, ...others } = input;
  return elicitationAsking({ mode: "form", message, requestedSchema }, inputText(others, []));
}
