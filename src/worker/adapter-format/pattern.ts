/**
 * Patterns of adapter files. Only ones that take linear time on any text are accepted: the text they read comes from a tool
 * that may be hostile. They stay strings in compiled adapters (plain data, cacheable) and become RegExp once, here.
 */

/** Longer patterns are unreadable and slow to compile; split them into several rules. */
const PATTERN_LENGTH_MAX = 500;
/** Text beyond this is never read by a pattern: the longest question seen on a real screen is below 1000 characters. */
export const TEXT_READ_MAX = 2048;
/** Steps in the worst case, estimated from above: a few milliseconds. */
const STEPS_MAX = 4_200_000;

const compiled = new Map<string, RegExp>();

/** `(?i)` at the start ignores case. Throws on bad syntax; `findPatternProblem` is asked first, when the file is loaded. */
function getRegex(pattern: string): RegExp {
  let regex = compiled.get(pattern);
  if (!regex) compiled.set(pattern, (regex = build(pattern)));
  return regex;
}

/** Groups of the first match, or null. Nothing behind TEXT_READ_MAX is read. */
export function findMatch(pattern: string, text: string): RegExpExecArray | null {
  return getRegex(pattern).exec(text.length > TEXT_READ_MAX ? text.slice(0, TEXT_READ_MAX) : text);
}

export function matches(pattern: string, text: string): boolean {
  return findMatch(pattern, text) !== null;
}

function build(pattern: string): RegExp {
  return pattern.startsWith("(?i)") ? new RegExp(pattern.slice(4), "iu") : new RegExp(pattern, "u");
}

/** Why a pattern is refused, in words, or null when it is fine. */
export function findPatternProblem(pattern: string): string | null {
  if (pattern.length > PATTERN_LENGTH_MAX) return `longer than ${PATTERN_LENGTH_MAX} characters`;
  try {
    build(pattern);
  } catch {
    return "not a valid regular expression";
  }
  return findTimeProblem(pattern.replace(/^\(\?i\)/, ""));
}

interface PatternPiece {
  readonly text: string;
  /** Highest repetition: 1, a number, or Infinity. */
  readonly max: number;
  /** The length is fixed: `{3}`, or no repetition. */
  readonly isFixed: boolean;
  /**
   * A repetition without a bound that must be followed by a character which it cannot take. It can end at one place only, so the times of
   * several such repetitions add up and do not multiply.
   */
  readonly hasOneEnd: boolean;
}

/** The worst case must stay linear: no repeated repetition, no run of blanks without a bound, one open end a pattern, or several that cannot overlap. */
function findTimeProblem(source: string): string | null {
  if (/\\[1-9k]/.test(source)) return "back-references are not linear";
  if (source.includes("(?<")) return "named groups and look-behind are not supported";
  const pieces = listAllPieces(source);
  const open = pieces.filter((piece) => piece.max === Infinity);
  for (const { text } of open) {
    if (text === "\\s" || text === " " || /^\[[^\]^]*(?:\\s| )[^\]]*\]$/.test(text)) {
      return `a run of blanks needs a bound: write "${text}{0,8}" instead of "${text}*"`;
    }
  }
  for (const { text, max } of pieces) {
    if (max > 1 && isGroup(text) && listAllPieces(readGroup(text)).some(isRepeatedOrOptional)) {
      return "a repetition inside a repetition (also of something optional) takes exponential time";
    }
    if (max > 1 && isGroup(text) && text.includes("|")) return "an alternation must not be repeated";
  }
  if (open.length > 1 && !pieces.every((piece) => staysApart(piece, open)))
    return "more than one unbounded repetition takes polynomial time; bound them: {0,80}";
  if (open.length > 0 && !isAnchored(source)) {
    return "an unbounded repetition needs a pattern that begins with ^ (in each of its alternatives)";
  }
  // Repetitions with one end are not counted as ways, so the places at which they may fail are.
  const places = isAnchored(source) && !open.some(({ hasOneEnd }) => hasOneEnd) ? 1 : TEXT_READ_MAX;
  return places * countWays(source) > STEPS_MAX
    ? "too many repetitions that could overlap; lower their bounds"
    : null;
}

/** Each turn of the group around it could take this piece in more than one way. */
function isRepeatedOrOptional({ max, isFixed }: PatternPiece): boolean {
  return max > 1 || !isFixed;
}

/** `^a|b` is not: its second alternative is tried at every place. */
function isAnchored(source: string): boolean {
  const texts = listPieces(source).map((piece) => piece.text);
  return texts.every((text, index) => (index > 0 && texts[index - 1] !== "|") || text === "^");
}

/** In how many ways a pattern can be tried at one place: repetitions multiply, of alternatives the widest counts. */
function countWays(source: string): number {
  let widest = 1;
  let product = 1;
  for (const piece of listPieces(source)) {
    product = piece.text === "|" ? 1 : product * countPieceWays(piece);
    widest = Math.max(widest, product);
  }
  return widest;
}

function countPieceWays({ text, max, isFixed, hasOneEnd }: PatternPiece): number {
  if (hasOneEnd) return 1;
  const inner = isGroup(text) ? countWays(readGroup(text)) : 1;
  if (isFixed) return inner;
  return max === 1 ? inner + 1 : inner * Math.min(max, TEXT_READ_MAX);
}

function isGroup(atom: string): boolean {
  return atom.startsWith("(");
}

function readGroup(group: string): string {
  return group.slice(1, -1).replace(/^\?[:=!]/, "");
}

function listAllPieces(source: string): PatternPiece[] {
  return listPieces(source).flatMap((piece) =>
    isGroup(piece.text) ? [piece, ...listAllPieces(readGroup(piece.text))] : [piece],
  );
}

/** The atoms with their repetition; `|` is one of them. The pattern is known to be valid. */
function listPieces(source: string): PatternPiece[] {
  const pieces: PatternPiece[] = [];
  for (let at = 0; at < source.length;) {
    const atom = readAtom(source, at);
    at += atom.length;
    const quantifier = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/.exec(source.slice(at))?.[0] ?? "";
    at += quantifier.length;
    const max = readMaximum(quantifier);
    pieces.push({
      text: atom,
      max,
      isFixed: quantifier === "" || /^\{\d+\}/.test(quantifier),
      hasOneEnd: max === Infinity && endsBefore(atom, source.slice(at)),
    });
  }
  return pieces;
}

/** Whether the piece may occur in a pattern with several unbounded repetitions: it cannot match a character of theirs. */
function staysApart({ text, max, isFixed, hasOneEnd }: PatternPiece, open: readonly PatternPiece[]): boolean {
  if (max === Infinity) return hasOneEnd;
  return isFixed || (isPlain(text) && open.every((other) => unescape(other.text) !== unescape(text)));
}

/** Digits, ASCII punctuation and the end of the text: case and other alphabets do not matter for them. */
const PLAIN = /^(?:\\d|\\?[ !"#$%&',\-/:;<=>@_`~]|\\[()*+.?[\]^{|}])/;

/** Whether what must stand at the beginning of `rest` cannot be one of the characters of `atom`. */
function endsBefore(atom: string, rest: string): boolean {
  const next = PLAIN.exec(rest)?.[0];
  if (next === undefined || !isPlain(atom)) return false;
  const mayBeMissing = /^(?:[*?]|\{0)/.test(rest.slice(next.length));
  return !mayBeMissing && unescape(next) !== unescape(atom);
}

function isPlain(atom: string): boolean {
  return PLAIN.exec(atom)?.[0] === atom;
}

function unescape(atom: string): string {
  return atom.replace(/^\\(?!d)/, "");
}

function readAtom(source: string, at: number): string {
  const rest = source.slice(at);
  const escape = /^\\(?:u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[pP]\{[^}]*\}|.)/u.exec(rest);
  if (escape) return escape[0];
  const set = /^\[(?:\\.|[^\]\\])*\]/u.exec(rest);
  if (set) return set[0];
  if (rest.startsWith("(")) return rest.slice(0, measureGroup(rest));
  return /^./u.exec(rest)?.[0] ?? rest;
}

function measureGroup(source: string): number {
  let depth = 0;
  for (let at = 0; at < source.length;) {
    const step = /^(?:\\.|\[(?:\\.|[^\]\\])*\])/u.exec(source.slice(at))?.[0].length ?? 1;
    if (step === 1 && source[at] === "(") depth++;
    if (step === 1 && source[at] === ")" && --depth === 0) return at + 1;
    at += step;
  }
  return source.length;
}

function readMaximum(quantifier: string): number {
  if (quantifier === "" || quantifier.startsWith("?")) return 1;
  if (quantifier.startsWith("*") || quantifier.startsWith("+")) return Infinity;
  const [, least, comma, most] = /^\{(\d+)(,?)(\d*)\}/.exec(quantifier) ?? [];
  if (most) return Number(most);
  return comma ? Infinity : Number(least);
}
