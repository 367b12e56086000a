/** Encodes an answer as bytes: the newline policies (adapter spec §4, §6.4) and the keys of a terminal. Pure. */
import type { NewlinePolicy } from "../../../model/answer/reply.js";
import type { PromptType } from "../../../model/prompt.js";
import type { TerminalModes } from "../../../sdk/view.js";

/** A terminal's Enter. Never LF: agents take Ctrl-J as "down" or as a new line of text. */
export const ENTER = "\r";
export const ESCAPE = "\u001b";

export type Direction = "up" | "down" | "left" | "right";
const ARROW_FINAL: Readonly<Record<Direction, string>> = { up: "A", down: "B", right: "C", left: "D" };

/** With DECCKM set, the tool may read `ESC [ B` as Esc, which cancels. */
export function encodeArrowKey(direction: Direction, modes: TerminalModes): string {
  return (modes.applicationCursorKeys ? "\u001bO" : "\u001b[") + ARROW_FINAL[direction];
}

const OTHER_KEYS: Readonly<Record<string, string>> = {
  tab: "\t",
  "shift+tab": "\u001b[Z",
  space: " ",
  "ctrl-c": "\u0003",
  "ctrl-d": "\u0004",
};
/** One character that is no control. */
const PRINTED = /^[^\p{C}\s]$/u;
const DIRECTIONS: readonly string[] = ["up", "down", "left", "right"] satisfies Direction[];

/** The bytes of a key by its name (`screen-keys.ts`); null: there is no such key. */
export function encodeNamedKey(name: string, modes: TerminalModes): string | null {
  if (DIRECTIONS.includes(name)) return encodeArrowKey(name as Direction, modes);
  return OTHER_KEYS[name] ?? (PRINTED.test(name) ? name : null);
}

/** The caller has refused control characters, which could end the paste. */
export function encodePaste(text: string): string {
  return `\u001b[200~${text}\u001b[201~`;
}

/** One character, ESC, or one CSI or SS3 sequence. */
const ONE_KEY = /^(?:[^\u001b]|\u001b(?:\[[0-9;]{0,12}[A-Za-z~]|O[A-Za-z])?)$/u;

/** Agents read several keys in one write as text. */
export function isOneKey(keys: string): boolean {
  return ONE_KEY.test(keys);
}

const JUST_ENTER = new Set(["", "\n", "\r"]);

/**
 * The bytes of an answer (adapter spec §4). Null when the value cannot be typed under that policy: a line break inside a line, or a
 * `replace` value that is no byte string.
 */
export function encodeAnswer(
  promptType: PromptType,
  value: string,
  policy: NewlinePolicy,
): Uint8Array | null {
  if (JUST_ENTER.has(value) || (promptType === "confirm_enter" && value === "enter"))
    return Buffer.from(ENTER);
  if (policy === "replace") return decodeEscapes(value);
  if (/[\n\r]/.test(value)) return null;
  return Buffer.from(policy === "append" ? value + ENTER : value, "utf8");
}

const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  "\\": "\\",
  "'": "'",
  '"': '"',
  a: "\u0007",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\n": "",
};

const ESCAPE_SEQUENCE =
  /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{1,3})|([^xuUN])|(.?))/gsu;

/**
 * Backslash escapes as the adapter spec decodes them (Python's `unicode_escape`, then latin-1). Null where Python raises: a broken
 * escape, a named character (`\N{…}`), a number above 0xFF.
 */
export function decodeEscapes(value: string): Uint8Array | null {
  // Python decodes the UTF-8 bytes of the value one by one, so that other text keeps its bytes.
  const bytes = Buffer.from(value, "utf8").toString("latin1");
  let refused = false as boolean;
  const decoded = bytes.replace(ESCAPE_SEQUENCE, (whole: string, ...found: (string | undefined)[]) => {
    const [hex2, hex4, hex8, octal, simple] = found;
    const hex = hex2 ?? hex4 ?? hex8;
    // An unknown escape keeps its backslash.
    if (simple !== undefined) return SIMPLE_ESCAPES[simple] ?? whole;
    const code = hex !== undefined ? parseInt(hex, 16) : octal !== undefined ? parseInt(octal, 8) : Infinity;
    if (code <= 0xff) return String.fromCharCode(code);
    refused = true;
    return "";
  });
  return refused ? null : Buffer.from(decoded, "latin1");
}
