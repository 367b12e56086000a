/** Applied to every text before it leaves: hides secrets and makes misleading characters visible. */
import { makeVisible } from "./display.js";
import { redact } from "./redact.js";

export function sanitizeText(text: string): string {
  return makeVisible(redact(text));
}
