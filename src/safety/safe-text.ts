/** What every text goes through before it leaves: secrets hidden, tricks made visible. */
import { makeVisible } from "./display.js";
import { redact } from "./redact.js";

export function safeText(text: string): string {
  return makeVisible(redact(text));
}
