/** Decides what one complete escape sequence from a terminal means: a pressed key, or an answer of the terminal itself. */

/** `enter` and `escape` in every encoding; `character` is one printed character; `paste` is text of a bracketed paste. */
export type KeyKind = "enter" | "escape" | "character" | "paste" | "other";

export type SequenceMeaning =
  | { readonly is: "report" }
  | { readonly is: Exclude<KeyKind, "character"> }
  | { readonly is: "character"; readonly text: string };

const REPORT: SequenceMeaning = { is: "report" };
const OTHER: SequenceMeaning = { is: "other" };

/**
 * CSI sequences (without `ESC [`) that are not keys: focus; mouse as urxvt sends it; cursor position; status; window size; mode
 * and parameter reports. A modified F3 of old terminals looks like a position in row 1; it commits nothing, so it may pass.
 */
const CSI_REPORTS = [
  /^[IO]$/,
  /^\d+;\d+;\d+M$/,
  /^\d+;\d+R$/,
  /^\d*n$/,
  /^[\d;]+t$/,
  /^\d+;\d+\$y$/,
  /^\d+(?:;\d+){5,6}x$/,
];
/** Answers begin with a private marker (mouse, attributes, modes, kitty flags); no key does. */
const PRIVATE = /^[<=>?]/;
/** A released key (kitty keyboard protocol, event type 3). */
const RELEASE = /^[\d:]*;\d+:3(?:;[\d:]*)?[u~A-S]$/;
/** A key as kitty and xterm's modifyOtherKeys encode it. */
const KITTY = /^(\d+)(?::[\d:]*)?(?:;(\d*)(?::\d+)?(?:;[\d:]*)?)?u$/;
const MODIFY_OTHER = /^27;(\d+);(\d+)~$/;

export function readCsi(body: string): SequenceMeaning {
  if (PRIVATE.test(body) || RELEASE.test(body) || CSI_REPORTS.some((report) => report.test(body)))
    return REPORT;
  const kitty = KITTY.exec(body);
  if (kitty) return readKey(Number(kitty[1]), Number(kitty[2] ?? ""));
  const modified = MODIFY_OTHER.exec(body);
  return modified ? readKey(Number(modified[2]), Number(modified[1])) : OTHER;
}

const ENTER = 13;
const ESCAPE = 27;
/** Kitty's numbers for the keypad: 0 to 9, and Enter. */
const KEYPAD_ZERO = 57399;
const KEYPAD_NINE = 57408;
const KEYPAD_ENTER = 57414;
/** Kitty's other function keys are in a private area of Unicode. */
const PRIVATE_AREA = { first: 57344, last: 63743 };
const HIGHEST_CODE = 0x10ffff;

/** Modifiers are sent as 1 plus these bits; absent means none. Caps and num lock are no modifiers in this sense. */
const SHIFT = 1;
const LOCKS = 64 | 128;

function readKey(code: number, sentModifiers: number): SequenceMeaning {
  const modifiers = Math.max(0, sentModifiers - 1) & ~LOCKS;
  if (modifiers === 0 && (code === ENTER || code === KEYPAD_ENTER)) return { is: "enter" };
  if (modifiers === 0 && code === ESCAPE) return { is: "escape" };
  if (code >= KEYPAD_ZERO && code <= KEYPAD_NINE)
    return { is: "character", text: String(code - KEYPAD_ZERO) };
  const printed = code >= 0x20 && code !== 0x7f && code <= HIGHEST_CODE;
  const functional = code >= PRIVATE_AREA.first && code <= PRIVATE_AREA.last;
  if (!printed || functional || (modifiers & ~SHIFT) !== 0) return OTHER;
  return { is: "character", text: String.fromCodePoint(code) };
}

/** `ESC O x`: keypad Enter is M, keypad digits are p to y, the rest are arrows and function keys. */
export function readSs3(final: number): SequenceMeaning {
  if (final === 0x4d) return { is: "enter" };
  if (final >= 0x70 && final <= 0x79) return { is: "character", text: String(final - 0x70) };
  return OTHER;
}

/** How the text of an answer begins after `ESC ]`, `ESC P`, `ESC _`. Any other text means that a person pressed Alt and that key. */
const STRING_STARTS: Readonly<Record<number, RegExp>> = { 0x5d: /[\dlL]/, 0x50: /[\d>!?$+]/, 0x5f: /G/ };

/** Whether `ESC introducer first` can be the start of an answer; without `first`, whether `ESC introducer` can. */
export function isStringStart(introducer: number, first?: number): boolean {
  const start = STRING_STARTS[introducer];
  return start !== undefined && (first === undefined || start.test(String.fromCharCode(first)));
}
