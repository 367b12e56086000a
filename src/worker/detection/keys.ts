/** What a person typed, key by key: an arrow is no Esc, and pasted text is no key. */
import { csiMeaning, ss3Meaning, type Meaning } from "../screen/input-sequences.js";

const PASTE_START = "\u001b[200~";
const PASTE_END = "\u001b[201~";
// Terminal answers and reports come as such sequences, too: CSI (mouse, focus, status), SS3, OSC, DCS.
const SEQUENCE =
  /^\u001b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|O[ -~]|[\]P][^\u0007\u001b]{0,4096}(?:\u0007|\u001b\\))/;

/**
 * Single keys of one read; Enter, Esc and characters as themselves, however the terminal spells them. An ESC at the very end is the
 * Esc key; text inside a paste is left out.
 */
export function keysOf(input: string): string[] {
  const keys: string[] = [];
  for (let rest = input; rest !== "";) {
    const length = keyLength(rest);
    if (!rest.startsWith(PASTE_START)) keys.push(plainKey(rest.slice(0, length)));
    rest = rest.slice(length);
  }
  return keys;
}

function plainKey(key: string): string {
  const meaning = meaningOf(key);
  if (meaning?.is === "enter") return "\r";
  if (meaning?.is === "escape") return "\u001b";
  return meaning?.is === "character" ? meaning.text : key;
}

function meaningOf(key: string): Meaning | null {
  if (key.length > 2 && key.startsWith("\u001b[")) return csiMeaning(key.slice(2));
  return key.length === 3 && key.startsWith("\u001bO") ? ss3Meaning(key.charCodeAt(2)) : null;
}

function keyLength(rest: string): number {
  if (rest.startsWith(PASTE_START)) {
    const end = rest.indexOf(PASTE_END);
    return end < 0 ? rest.length : end + PASTE_END.length;
  }
  const sequence = SEQUENCE.exec(rest);
  if (sequence) return sequence[0].length;
  return String.fromCodePoint(rest.codePointAt(0) ?? 0).length;
}

/** A button that is pressed. */
const MOUSE_PRESS = /^\u001b\[<[0-2];\d+;\d+M$/;

/**
 * Whether a local read holds anything that some dialog takes for an answer: a character or a click, and neither an arrow nor a report.
 * `typed`: a person is behind it; a click is told as the terminal tells where the mouse is.
 */
export function mayAnswer(input: Uint8Array, typed: boolean): boolean {
  const keys = keysOf(Buffer.from(input).toString("utf8"));
  return keys.some((key) => (typed && [...key].length === 1) || MOUSE_PRESS.test(key));
}

/** Whether a local read holds a key that settles this prompt. */
export function commits(input: Uint8Array, committingKeys: readonly string[]): boolean {
  return keysOf(Buffer.from(input).toString("utf8")).some((key) => committingKeys.includes(key));
}
