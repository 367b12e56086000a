/** One answer of a set, with its spelling: `n`, `[n]o`, `A(u)to rename all`, `[Y] Yes`, `Y(yes)`, `y|Y for Yes`. */

export interface Answer {
  readonly label: string;
  /** The text to type, exactly as the screen spells it. */
  readonly value: string;
  /** The usual meaning of a bare letter. Absent: every program has its own meaning for it. */
  readonly detail?: string;
  /** The bracket that sets off its letter or the whole of it. */
  readonly bracket?: string;
  /** It explains itself: its letter is a part of its label, or stands before it. */
  readonly isLabelled?: true;
}

const MEANINGS: ReadonlyMap<string, string> = new Map([
  ["y", "yes"],
  ["n", "no"],
  ["q", "quit"],
  ["?", "help"],
]);

/** `[O]pen`, `A(u)to rename`: a letter in brackets within its word. */
const WITHIN = /^(\p{L}{0,12})([[(])(\p{L})[\])](\p{L}[\p{L}' -]{0,40})?$/u;
/** `[Y] Yes`, `(df) show difference`: before its label, and not before what somebody types behind the last one: `(s) show all: p`. */
const BEFORE = /^([[(])(\p{L}{1,3}|\?)[\])]:? {1,3}(\S(?:[^:]|:(?! )){0,60})$/u;
const BEHIND = /^(\p{L})\((\p{L}{2,20})\)$/u;
const FOR = /^(\p{L})(?:\|\p{L})? for (\p{L}{2,20})$/u;
/** `[n]`: a plain one that is set off. */
const SET_OFF = /^([[(])([^()[\]]{1,30})[\])]$/u;
const PLAIN = /^(?:[\p{L}\p{N}+_.!?/-]|\p{L}[\p{L}\p{N}+_.-]{0,30})$/u;

export function readAnswer(text: string): Answer | null {
  return readLabelled(text) ?? readPlain(text);
}

export function readLabelled(text: string): Answer | null {
  const within = WITHIN.exec(text);
  if (within) {
    const [, before = "", bracket = "", value = "", rest = ""] = within;
    // `file(s)` is a plural.
    if (before !== "" && rest === "") return null;
    return {
      label: before + value + rest.trimEnd(),
      value,
      bracket,
      ...(rest !== "" && { isLabelled: true }),
    };
  }
  const ahead = BEFORE.exec(text);
  if (ahead)
    return { label: ahead[3] ?? "", value: ahead[2] ?? "", bracket: ahead[1] ?? "", isLabelled: true };
  const [, value, label] = BEHIND.exec(text) ?? FOR.exec(text) ?? [];
  return value === undefined || label === undefined ? null : { label, value, isLabelled: true };
}

function readPlain(text: string): Answer | null {
  const [, bracket, inside = ""] = SET_OFF.exec(text) ?? [];
  const value = bracket === undefined ? text : inside;
  if (!PLAIN.test(value)) return null;
  const detail = MEANINGS.get(value.toLowerCase());
  return {
    label: value,
    value,
    ...(detail !== undefined && { detail }),
    ...(bracket !== undefined && { bracket }),
  };
}
