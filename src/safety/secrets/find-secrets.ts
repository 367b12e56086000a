/**
 * Finds secrets as pieces without shell syntax, except values that the text expands by their names: those may be what runs (ADR 26).
 * Linear on any text. Pure.
 */
import { findExpandedValues, listExpandedNames, type ExpandedNames } from "./find-expanded.js";
import { findInCommands } from "./find-in-commands.js";
import { findInAddresses, findNamed, findPhrases } from "./find-named.js";
import { findServiceKeys } from "./find-service-keys.js";
import { findPrivateKeys } from "./find-private-keys.js";
import { findForms, findTokens } from "./find-tokens.js";
import { looksRandom } from "./formats.js";
import type { FoundSecret, SecretKind, SecretSpan } from "./found.js";
import { countBefore, toOriginalPosition, unwrap, type Break, type Unwrapped } from "./unwrap.js";

export interface SecretPiece extends SecretSpan {
  readonly kind: SecretKind;
  readonly isByName: boolean;
}

/** The replacement of hidden text. */
export const MARK = /\[\d{1,7} hidden\]/g;

export function findSecrets(text: string): readonly SecretPiece[] {
  const unwrapped = [unwrap(text, ""), unwrap(text, " ")].filter((one) => one !== null);
  const names = listExpandedNames([text, ...unwrapped.map((one) => one.text)]);
  const onLines = omitExpanded(text, names, findOnLines(text));
  const found = [...onLines, ...unwrapped.flatMap((one) => findAcrossBreaks(one, names))];
  const pieces = found.flatMap((secret) => splitHideable(text, secret));
  return removeMarks(text, mergeOverlaps(pieces));
}

function findOnLines(text: string): FoundSecret[] {
  return [
    ...findTokens(text),
    ...findForms(text),
    ...findNamed(text),
    ...findServiceKeys(text),
    ...findInCommands(text),
    ...findInAddresses(text),
    ...findPhrases(text),
    ...findPrivateKeys(text),
  ];
}

/** Without the values that the text expands by their names: they may be what runs. */
function omitExpanded(text: string, names: ExpandedNames, found: readonly FoundSecret[]): FoundSecret[] {
  const values = findExpandedValues(text, names);
  let at = 0;
  let shownTo = 0;
  return [...found]
    .sort((a, b) => a.start - b.start)
    .filter(({ start }) => {
      for (; (values[at]?.start ?? Infinity) <= start; at++)
        shownTo = Math.max(shownTo, values[at]?.end ?? 0);
      return start >= shownTo;
    });
}

/** Finds secrets that a line wrap split in two, or parted from the words that make them secrets. */
function findAcrossBreaks(unwrapped: Unwrapped, names: ExpandedNames): FoundSecret[] {
  const { breaks } = unwrapped;
  return omitExpanded(unwrapped.text, names, findOnLines(unwrapped.text)).flatMap((secret) =>
    findParts(unwrapped.text, breaks, secret),
  );
}

/** One part per line, up to the first line that does not look like a part of the secret. */
function findParts(text: string, breaks: readonly Break[], secret: FoundSecret): FoundSecret[] {
  const parts: FoundSecret[] = [];
  const firstLine = countBefore(breaks, secret.from);
  let start = secret.start;
  while (start < secret.end) {
    const line = countBefore(breaks, start);
    const lineEnd = breaks[line]?.at ?? text.length;
    const end = Math.min(secret.end, lineEnd);
    const above = breaks[line - 1];
    const part = text.slice(start, end).trimEnd();
    const next = end === lineEnd ? "" : text.slice(end, end + 1);
    const isBelow = above && line > firstLine && !secret.isWhole;
    // Where a word begins on a row of its own, it could be a command.
    const isWord = above?.isBlank === true || (start === secret.start && secret.isByName);
    if (isBelow && !(isWord ? isRandomWord(part) : continuesSecret(part, next, above))) break;
    const at = toOriginalPosition(breaks, start);
    parts.push({ ...secret, start: at, end: at + part.length });
    start = end;
  }
  return parts;
}

/** Commands on a following line are shorter, or contain blanks. */
const PART_MIN = 16;
const WORD = /^(?:[a-z]+\d*|[A-Z]?[a-z]+|\d+)$/;

/** Names of commands are shorter. */
const RANDOM_MIN = 12;

function isRandomWord(part: string): boolean {
  return part.length >= RANDOM_MIN && looksRandom(part);
}

function continuesSecret(part: string, next: string, { isAtEdge }: Break): boolean {
  if (WORD.test(part)) return false;
  if (part.length >= PART_MIN) return /\d/.test(part) && /[A-Za-z]/.test(part);
  if (isAtEdge && looksRandom(part)) return true;
  return /^(?:["'<\n│┃|])?$/.test(next) && (/\d/.test(part) || /[a-z][A-Z]/.test(part));
}

/** Letters and digits of any script, and characters of tokens that have no meaning to a shell inside a word. */
const HIDEABLE = /[\p{L}\p{N}_+/=.:@%,-]+/gu;
/** After these characters a shell parses on: what follows may be executed. */
const SYNTAX = /[\s$`\\"';|&<>(){}]/;

/** A blank inside quotes separates the words of a passphrase; together with other syntax they may be a command. */
function splitHideable(text: string, { start, end, kind, isByName }: FoundSecret): SecretPiece[] {
  const secret = text.slice(start, end);
  const isPhrase = !SYNTAX.test(secret.replaceAll(" ", ""));
  const stop = isPhrase ? -1 : secret.search(SYNTAX);
  const hidden = stop < 0 ? secret : secret.slice(0, stop);
  return [...hidden.matchAll(HIDEABLE)].map((match) => ({
    start: start + match.index,
    end: start + match.index + match[0].length,
    kind,
    isByName,
  }));
}

/** Of two overlapping secrets the first gives the kind; both are hidden. */
function mergeOverlaps(pieces: readonly SecretPiece[]): SecretPiece[] {
  const joined: SecretPiece[] = [];
  for (const piece of [...pieces].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = joined.at(-1);
    if (last && piece.start < last.end)
      joined[joined.length - 1] = {
        ...last,
        end: Math.max(last.end, piece.end),
        isByName: last.isByName && piece.isByName,
      };
    else joined.push(piece);
  }
  return joined;
}

/** Excludes earlier replacement text. */
function removeMarks(text: string, pieces: readonly SecretPiece[]): readonly SecretPiece[] {
  const marks = [...text.matchAll(MARK)].map(({ 0: mark, index }) => ({
    start: index,
    end: index + mark.length,
  }));
  if (marks.length === 0) return pieces;
  let at = 0;
  return pieces.filter(({ start, end }) => {
    while (at < marks.length && (marks[at]?.end ?? 0) <= start) at++;
    return (marks[at]?.start ?? end) >= end;
  });
}
