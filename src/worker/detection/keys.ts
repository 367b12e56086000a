/** Splits typed input into keys: an arrow is one key and no Esc, and pasted text is no key. */
import { readCsi, readSs3, type SequenceMeaning } from "../screen/input-sequences.js";

const PASTE_START = "\u001b[200~";
const PASTE_END = "\u001b[201~";
// Terminal answers and reports come as such sequences, too: CSI (mouse, focus, status), SS3, OSC, DCS.
const SEQUENCE =
  /^\u001b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|O[ -~]|[\]P][^\u0007\u001b]{0,4096}(?:\u0007|\u001b\\))/;

/**
 * The keys of one read, without pasted text. Enter, Esc and characters are normalized, however the terminal encodes them. An ESC at
 * the very end is the Esc key.
 */
export function splitKeys(input: string): string[] {
  const keys: string[] = [];
  for (let rest = input; rest !== "";) {
    const length = measureKey(rest);
    if (!rest.startsWith(PASTE_START)) keys.push(normalizeKey(rest.slice(0, length)));
    rest = rest.slice(length);
  }
  return keys;
}

function normalizeKey(key: string): string {
  const meaning = decodeKey(key);
  if (meaning?.is === "enter") return "\r";
  if (meaning?.is === "escape") return "\u001b";
  return meaning?.is === "character" ? meaning.text : key;
}

function decodeKey(key: string): SequenceMeaning | null {
  if (key.length > 2 && key.startsWith("\u001b[")) return readCsi(key.slice(2));
  return key.length === 3 && key.startsWith("\u001bO") ? readSs3(key.charCodeAt(2)) : null;
}

function measureKey(rest: string): number {
  if (rest.startsWith(PASTE_START)) {
    const end = rest.indexOf(PASTE_END);
    return end < 0 ? rest.length : end + PASTE_END.length;
  }
  const sequence = SEQUENCE.exec(rest);
  if (sequence) return sequence[0].length;
  return String.fromCodePoint(rest.codePointAt(0) ?? 0).length;
}

const MOUSE_PRESS = /^\u001b\[<[0-2];\d+;\d+M$/;

/**
 * Whether local input may answer a dialog: it holds a click or, with `typed` (a person typed it), a character. Arrows and terminal
 * reports answer nothing.
 */
export function mayAnswerDialog(input: Uint8Array, typed: boolean): boolean {
  const keys = splitKeys(Buffer.from(input).toString("utf8"));
  return keys.some((key) => (typed && [...key].length === 1) || MOUSE_PRESS.test(key));
}

export function hasCommittingKey(input: Uint8Array, committingKeys: readonly string[]): boolean {
  return splitKeys(Buffer.from(input).toString("utf8")).some((key) => committingKeys.includes(key));
}
