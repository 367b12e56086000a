/** All that is to be read before a question is answered, kept far below what one message to the hub may hold. Pure. */
import { createHash } from "node:crypto";
import type { PromptContent } from "../../model/prompt.js";
import { mapStrings } from "../../model/data/map-strings.js";
import { EXCERPT_BYTES_MAX } from "../../safety/excerpt.js";

/** In UTF-16 units. A diff of twenty thousand lines; text and input together stay below half of a message. */
const TEXT_LENGTH_MAX = 1024 * 1024;
const INPUT_LENGTH_MAX = 1024 * 1024;

/** A card shows the question in one line; what does not fit there, as people would see it, stands above the text. */
export function askedText(question: string, text: string, redact: (text: string) => string): string {
  const stands = fitsLine(question) && fitsLine(redact(question));
  return stands || holdsLines(text, question) ? text : joined(question, text);
}

function fitsLine(text: string): boolean {
  return Buffer.byteLength(text) <= EXCERPT_BYTES_MAX && !text.includes("\n");
}

function holdsLines(text: string, lines: string): boolean {
  return `\n${text}\n`.includes(`\n${lines}\n`);
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}

/** Both can be shown without a cut. */
export function fitsWhole(question: string, text: string): boolean {
  return joined(question, text).length <= TEXT_LENGTH_MAX;
}

/** As people see it: whole where it fits; else its beginning and how much is missing. */
export function shownContent(
  { text, cut, call }: PromptContent,
  redact: (text: string) => string,
): PromptContent {
  const head = beginningOf(text);
  const safe = redact(head);
  // What hides in a text takes more room once it is shown.
  const shown = beginningOf(safe);
  const missing = text.length - head.length + safe.length - shown.length;
  const input = call && mapStrings(call.input, redact);
  return {
    text: shown,
    cut: missing === 0 ? cut : { missing: joined(cut?.missing ?? "", `${missing} more characters`) },
    ...(call && lengthOf(input) <= INPUT_LENGTH_MAX && { call: { ...call, input } }),
  };
}

/** As much of a text as is ever shown. */
export function beginningOf(text: string): string {
  return text.length <= TEXT_LENGTH_MAX
    ? text
    : text.slice(0, TEXT_LENGTH_MAX).replace(/[\ud800-\udbff]$/u, "");
}

function lengthOf(input: unknown): number {
  return input === undefined ? Infinity : JSON.stringify(input).length;
}

/** SHA-256 hex of all that was asked, as it stands on the tool's side. */
export function contentHashOf(question: string, text: string): string {
  return createHash("sha256")
    .update(JSON.stringify([question, text]))
    .digest("hex");
}
