/** Finds values that a text assigns to a name and expands elsewhere by it: a shell may run them (ADR 26). Linear. Pure. */
import type { SecretSpan } from "./found.js";

/** `${NAME…}`, `$(NAME)`, `$NAME`, `$env:NAME`, `%NAME%`, `!NAME!` */
const EXPANSION =
  /\$[({](?:\([A-Za-z@]{1,8}\))?[#!=~^+]{0,2}(?:env:)?([A-Za-z_]\w{0,127})|\$[#=~^+]{0,2}(?:env:)?([A-Za-z_]\w{0,127})(?!\w)|%([A-Za-z_]\w{0,127})%|!([A-Za-z_]\w{0,127})!/gi;
/** In some languages `$NAME = …` assigns; a shell expands it. */
const ASSIGNS = /\s{0,4}[-+.?:|*]{0,2}=(?!=)/y;

/** Names that a text expands, in lower case, because some shells do not tell cases apart. False: only as `$NAME = …`. */
export type ExpandedNames = Map<string, boolean>;

export function listExpandedNames(texts: readonly string[]): ExpandedNames {
  const names: ExpandedNames = new Map();
  for (const text of texts)
    for (const match of text.matchAll(EXPANSION)) {
      const name = (match[1] ?? match[2] ?? match[3] ?? match[4] ?? "").toLowerCase();
      ASSIGNS.lastIndex = match.index + match[0].length;
      names.set(name, names.get(name) === true || match[2] === undefined || !ASSIGNS.test(text));
    }
  return names;
}

/** `NAME=`, `NAME: `, `NAME:-`, `"NAME" => `; or a blank, as in `set -x NAME value`, but not after an expansion. */
const ASSIGNED =
  /(?<!\w)(?:([A-Za-z_]\w{0,127})["'\]\\]{0,3}[ \t]{0,4}[-:=?+>]{1,3}[ \t]{0,4}|(?<![$({%!:])([A-Za-z_]\w{0,127})[ \t]{1,4})/g;
const QUOTE = /\$?\\?["'`]/y;
const WORD = /(?:\\[^]|[^\s;|&\\])*/y;
/** A private key. */
const QUOTED_MAX = 16 * 1024;

/** Where values stand, from the end of their names, that are expanded elsewhere in one of the texts of `names`. In order. */
export function findExpandedValues(text: string, names: ExpandedNames): SecretSpan[] {
  const values: SecretSpan[] = [];
  let covered = 0;
  for (const match of names.size === 0 ? [] : text.matchAll(ASSIGNED)) {
    const name = match[1] ?? match[2] ?? "";
    const isUsed = names.get(name.toLowerCase());
    if (isUsed === undefined || (!isUsed && /[$:]/.test(text.charAt(match.index - 1)))) continue;
    const from = match.index + match[0].length;
    const end = findQuotedEnd(text, from) ?? (from < covered ? covered : findWordEnd(text, from));
    values.push({ start: match.index + name.length, end });
    covered = Math.max(covered, end);
  }
  return values;
}

function findQuotedEnd(text: string, at: number): number | null {
  QUOTE.lastIndex = at;
  const quote = QUOTE.exec(text)?.[0];
  if (quote === undefined) return null;
  const from = at + quote.length;
  const length = text.slice(from, from + QUOTED_MAX).indexOf(quote.slice(-1));
  return from + (length < 0 ? QUOTED_MAX : length);
}

function findWordEnd(text: string, at: number): number {
  WORD.lastIndex = at;
  return at + (WORD.exec(text)?.[0].length ?? 0);
}
