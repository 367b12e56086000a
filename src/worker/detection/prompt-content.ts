/** The text that people read before they answer a prompt, limited to less than half of what one message to the hub may hold. Pure. */
import { createHash } from "node:crypto";
import type { PromptContent } from "../../model/prompt.js";
import { isObject } from "../../model/data/json.js";
import { mapStrings } from "../../model/data/map-strings.js";
import { markCarriageReturns } from "../../safety/display.js";
import { EXCERPT_BYTES_MAX } from "../../safety/excerpt.js";

/** In UTF-16 units: a diff of twenty thousand lines. */
const TEXT_LENGTH_MAX = 1024 * 1024;
const INPUT_LENGTH_MAX = 1024 * 1024;

/** A card has one line for the question. A question that does not fit there after redaction is put above the text instead. */
export function prependQuestion(question: string, text: string, safeText: (text: string) => string): string {
  const fits = fitsLine(question) && fitsLine(safeText(question));
  return fits || includesLines(text, question) ? text : joinParagraphs(question, text);
}

function fitsLine(text: string): boolean {
  return Buffer.byteLength(text) <= EXCERPT_BYTES_MAX && !text.includes("\n");
}

function includesLines(text: string, lines: string): boolean {
  return `\n${text}\n`.includes(`\n${lines}\n`);
}

function joinParagraphs(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}

export function fitsUncut(question: string, text: string): boolean {
  return joinParagraphs(question, text).length <= TEXT_LENGTH_MAX;
}

/** The content as people see it: redacted, and cut to its beginning with a note where it is too long. */
export function redactContent(
  { text, cut, call }: PromptContent,
  safeText: (text: string) => string,
): PromptContent {
  const head = limitText(text);
  const safe = safeText(head);
  // Redaction makes invisible characters visible, so the text may have grown.
  const shown = limitText(safe);
  const missing = text.length - head.length + safe.length - shown.length;
  const input = call && mapStrings(markCommands(call.input), safeText);
  return {
    text: shown,
    cut: missing === 0 ? cut : { missing: joinParagraphs(cut?.missing ?? "", `${missing} more characters`) },
    ...(call && measureInput(input) <= INPUT_LENGTH_MAX && { call: { ...call, input } }),
  };
}

const COMMAND_NAME = /^(?:commands?|cmd|script|args|argv)$/;

function markCommands(input: unknown): unknown {
  if (!isObject(input)) return input;
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      COMMAND_NAME.test(name) ? mapStrings(value, markCarriageReturns) : value,
    ]),
  );
}

export function limitText(text: string): string {
  return text.length <= TEXT_LENGTH_MAX
    ? text
    : text.slice(0, TEXT_LENGTH_MAX).replace(/[\ud800-\udbff]$/u, "");
}

function measureInput(input: unknown): number {
  return input === undefined ? Infinity : JSON.stringify(input).length;
}

/** SHA-256 hex of the unredacted question and text. */
export function hashContent(question: string, text: string): string {
  return createHash("sha256")
    .update(JSON.stringify([question, text]))
    .digest("hex");
}
