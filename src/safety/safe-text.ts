import { makeVisible } from "./display.js";
import { redact } from "./redact.js";

export function sanitizeText(text: string): string {
  return makeVisible(redact(text));
}
