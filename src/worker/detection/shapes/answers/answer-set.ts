/**
 * The answers that the end of a question offers: `[Y/n]`, `(yes/No/cancel)`, `[y,n,q,?]?`, `(Y)es / A(u)to rename all`, `[Y] Yes
 * [N] No`, `[Ynaqdh]`, `Proceed? y/N`. Words that may be a hint and no choice, as `(dd/mm/yyyy)`, count only if one of them is
 * named as the default, or two of them are a yes and a no.
 */
import { readAnswer, readLabelled, type Answer } from "./answer.js";
import { findNamed, readNamedDefault, type NamedDefault } from "./default-word.js";
import { isYesNo, toHalfWidth } from "./languages.js";

export interface AnswerSet {
  /** The text before the answers, or the whole text where they are a part of the sentence; without a letter where the question is above. */
  readonly question: string;
  readonly answers: readonly Answer[];
  /** The 1-based answer that Enter alone takes; null when none is marked. */
  readonly byDefault: number | null;
  /** The answers are a yes and a no, in this order, and no others. */
  readonly isYesNo: boolean;
}

/** As long as the longest line that is read (`waiting-line.ts`); it bounds the work on a row that fills the screen. */
const LENGTH_MAX = 1024;
const ANSWERS_MAX = 24;
/** What may stand between the answers and the cursor. */
const END = /[?:.]{0,2}(?: ?[❯»]| >{1,3}|(?<=[\])?:.]|^\p{Ll}(?:\/\p{Ll}){1,5})>{1,3})?$/u;

interface Found {
  readonly before: string;
  readonly answers: readonly Answer[];
  /** How they are separated: letters in a list with commas may be capitals of their own meaning. */
  readonly separator: string;
}

export function readAnswerSet(line: string): AnswerSet | null {
  const text = toHalfWidth(line).trim();
  if (text.length > LENGTH_MAX) return null;
  const body = text.replace(END, "").trimEnd();
  const named = readNamedDefault(body);
  const set =
    (named && readSet(named.before.replace(END, "").trimEnd(), named.word)) ??
    readSet(body, null) ??
    readPressed(text) ??
    (named && readOneWord(named, text));
  // `Overwrite (y/n)?` reads as a whole.
  if (set === null || !/\p{L}/u.test(set.question)) return set;
  const isWhole = body.startsWith(set.question) && /^[?]?$|[^?:]\s*\?/u.test(text.slice(set.question.length));
  return isWhole ? { ...set, question: text } : set;
}

/** `Press y to continue, n to cancel`, of which the yes does not mean an end. */
const PRESSED =
  /\b(?:press|type|enter|hit) ['"[]?(?:(y)|(yes))\b(?!['"\]]? to (?:abort|cancel|quit|exit|stop))[^,;]{1,40}(?:[,;] |\bor )(?:or )?['"[]?(?:(n)|(no))['"\]]?(?: (?:to|for|=|or the)\b[^,;]{0,40})?$/iu;
const THIRD = /(?:[,;]| or) (?:or )?['"[]?(?!n\b|no\b)\p{L}{1,6}['"\]]? (?:to|for|=)/iu;

function readPressed(text: string): AnswerSet | null {
  const [, y, yes, n, no] = PRESSED.exec(text) ?? [];
  const pair = y && n ? [y, n] : yes && no ? [yes, no] : null;
  if (pair === null || THIRD.test(text)) return null;
  const answers = pair.map((value) => ({ label: value, value }));
  return { question: text, answers, byDefault: null, isYesNo: true };
}

function readSet(text: string, word: string | null): AnswerSet | null {
  const grouped = readGroup(text) ?? readBare(text);
  const found = grouped ?? readSequence(text);
  if (found === null) return null;
  const { answers, before } = found;
  const byDefault = word === null ? findMarked(found) : findNamed(answers, word);
  if (word?.length === 1 && grouped === null && byDefault === null) return null;
  const values = answers.map(({ value }) => value);
  if (values.length > ANSWERS_MAX || new Set(values).size < values.length) return null;
  const hasYesNo = findYesNo(values) !== null;
  const isWords = found.separator === "/" && before === "";
  const isList = answers.every(({ isLabelled }) => isLabelled) || isLetters(found) || hasYesNo || isWords;
  if (!isList && (word === null || byDefault === null)) return null;
  // `Map<K,V>`.
  if (text.endsWith(">") && !hasYesNo) return null;
  return orderYesNo({ question: before, answers, byDefault, isYesNo: false });
}

const WANTS_TEXT = /^\P{L}*(?:what|which|who|where|when|how|enter|name)\b/iu;

/** The default alone: `Is this OK? (yes)`, `Fix<y>?`. */
function readOneWord({ before, word }: NamedDefault, text: string): AnswerSet | null {
  const isLetter = word.length === 1;
  const [yes, no] = isLetter ? ["y", "n"] : ["yes", "no"];
  const at = [yes, no].indexOf(word.toLowerCase());
  // Another letter in brackets makes this one an answer of several, and without a question mark it is the default of a text.
  if (isLetter && /[[(](?:\p{L}|\p{L}(?:\/\p{L})+)[\])]/u.test(before)) return null;
  if (at < 0 || !/[^\])>]$/u.test(before) || !/\?.{0,9}$/u.test(text) || WANTS_TEXT.test(text)) return null;
  const answers = [yes, no].map((value) => ({ label: value, value }));
  return { question: before, answers, byDefault: at + 1, isYesNo: true };
}

export function hasYesNo({ answers }: Pick<AnswerSet, "answers">): boolean {
  return findYesNo(answers.map(({ value }) => value)) !== null;
}

function findYesNo(values: readonly string[]): number | null {
  const at = values.findIndex((value, index) => {
    const next = values[index + 1] ?? "";
    return isYesNo(value, next) || isYesNo(next, value);
  });
  return at < 0 ? null : at;
}

function orderYesNo(set: AnswerSet): AnswerSet {
  const [first, second] = set.answers;
  if (set.answers.length !== 2 || !first || !second || (first.isLabelled && first.bracket)) return set;
  if (isYesNo(first.value, second.value)) return { ...set, isYesNo: true };
  if (!isYesNo(second.value, first.value)) return set;
  return { ...set, answers: [second, first], byDefault: set.byDefault && 3 - set.byDefault, isYesNo: true };
}

/** What to type for a yes and a no. Where both begin with a capital they are asked for like that, `(Y/N)`; the capital of one marks the default. */
export function spellYesNo({
  answers,
  isYesNo: hasBoth,
}: AnswerSet): readonly [yes: string, no: string] | null {
  const [yes = "", no = ""] = answers.map(({ value }) => value);
  if (!hasBoth) return null;
  return /^\p{Lu}.* \p{Lu}/u.test(`${yes} ${no}`) ? [yes, no] : [yes.toLowerCase(), no.toLowerCase()];
}

/** `(x,y)`, `(d/m/y)`: how a text is written. */
const FORMAT = /^(?:xyz?|wh|dmy|mdy|ymd|hms?|rgb|ijk?|nm|ab)$/iu;

/** Three single characters or more, or with commas two. */
function isLetters({ answers, separator }: Found): boolean {
  const isShort = answers.every(({ value }) => /^[^\d]$/u.test(value));
  if (FORMAT.test(answers.map(({ value }) => value).join(""))) return false;
  return isShort && answers.length >= (separator === "," ? 2 : 3);
}

function readGroup(text: string): Found | null {
  const from = findOpening(text);
  if (from === null) return null;
  const before = text.slice(0, from).trim();
  const inside = text.slice(from + 1, -1).trim();
  return splitAnswers(inside, before) ?? splitLetters(inside, before);
}

const PAIRS: ReadonlyMap<string, string> = new Map([
  ["]", "["],
  [")", "("],
  [">", "<"],
]);

function findOpening(text: string): number | null {
  const close = text.at(-1) ?? "";
  const open = PAIRS.get(close);
  if (open === undefined) return null;
  let depth = 0;
  for (let at = text.length - 1; at >= 0; at--) {
    if (text[at] === close) depth++;
    else if (text[at] === open && --depth === 0) return at;
  }
  return null;
}

const COMMA = /, ?(?:or )?|; ?/u;
const SEPARATORS: readonly RegExp[] = [/ ?\| ?/u, COMMA, / ?\/ ?/u, / or /u];

function splitAnswers(inside: string, before: string): Found | null {
  for (const separator of SEPARATORS) {
    const parts = inside.split(separator).filter((part) => !isPlaceholder(part));
    if (parts.length < 2) continue;
    const answers = parts.map(readAnswer);
    if (answers.every((answer) => answer !== null))
      return { before, answers, separator: separator === COMMA ? "," : "" };
  }
  return null;
}

/** Not a word to type, but a description of one, or of further ones: `[fingerprint]`, `...? shows all options`. */
function isPlaceholder(part: string): boolean {
  return /^\[[^\]]{4,}\]$|^\.\.\./u.test(part.trim());
}

/** `[yN]`, `[Ynaqdh]`. With other letters in front it may be a word, as `(snap)` and `(on)`. */
const UNSEPARATED = /^[yj]n\p{L}{0,13}\??$/iu;

function splitLetters(inside: string, before: string): Found | null {
  if (!UNSEPARATED.test(inside)) return null;
  return { before, answers: [...inside].flatMap((letter) => readAnswer(letter) ?? []), separator: "" };
}

/** `Proceed? y/N`. */
const BARE = /(?:^|(?<=[\s?:]))([\p{L}?]{1,12}(?:\/[\p{L}?]{1,12}){1,5})$/u;

/** `Ignore/Cancel?` and `e/n/d/q>` in a row of their own. */
const BARE_WORDS = /^(?:\p{Lu}\p{Ll}{1,11}(?:\/\p{Lu}\p{Ll}{1,11}){1,5}|\p{Ll}(?:\/\p{Ll}){2,5})$/u;

function readBare(text: string): Found | null {
  const match = BARE.exec(text);
  const values = match?.[1]?.split("/") ?? [];
  const [first = "", second = ""] = values;
  // `S/N` is a serial number.
  const isPair = isYesNo(first, second) && (first.length > 1 || /^y$/iu.test(first));
  if (!match || (!isPair && !BARE_WORDS.test(text))) return null;
  const answers = values.flatMap((value) => readAnswer(value) ?? []);
  return { before: text.slice(0, match.index).trim(), answers, separator: "/" };
}

/** Between two answers of a sequence without brackets around it: labels behind their letters may hold commas. */
const BETWEEN: readonly RegExp[] = [
  /(?:,| ?[/|])? {1,8}(?=[[(](?:\p{L}{1,3}|\?)[\])](?: |$))/u,
  /, or |, | or | ?\/ ?| ?\| ?| {2,}/u,
];

/** `accept (t)emporarily`. */
const LEAD = /^(?:\p{L}{1,12} ){1,2}(?=[[(]\p{L}[\])]\p{L})/u;

/** `[y]es, [n]o, [A]ll`, `[Y] Yes  [N] No`: each one explains itself. */
function readSequence(text: string): Found | null {
  const first = text.search(/(?<!\p{L})\p{L}{0,12}[[(](?:\p{L}{1,3}|\?)[\])]/u);
  if (first < 0) return null;
  // `Change (N)ame, (C)omment` reads as a whole.
  const head = text.slice(0, first).trim();
  const isSentence = !/(?:[?:.!]|^)$/u.test(head);
  // `Keep (k) or discard (d) it`: letters that stand apart, behind words, may belong to those.
  if (isSentence && /^[[(][^\])]{1,3}[\])]:? /u.test(text.slice(first))) return null;
  const before = isSentence ? text : head;
  for (const between of BETWEEN) {
    const answers = text
      .slice(first)
      .split(between)
      .map((part) => readLabelled(part.replace(LEAD, "")));
    if (answers.length < 2 || !answers.every((answer) => answer !== null)) continue;
    // `Yes [y]  No [n]`: the letters stand behind their labels.
    const isBehind = answers.some(({ isLabelled, value }) => !isLabelled && value !== "?");
    return isBehind && answers.some(({ isLabelled }) => isLabelled)
      ? null
      : { before, answers, separator: "," };
  }
  return null;
}

/** The only one in other brackets, `(y or [n])`, or the only capital, `[Y/n/q]`. */
function findMarked({ answers, separator }: Found): number | null {
  const isOne = (is: (answer: Answer) => boolean): number | null => {
    const found = answers.flatMap((answer, index) => (is(answer) ? [index + 1] : []));
    return found.length === 1 ? (found[0] ?? null) : null;
  };
  const [first, ...rest] = answers.map(({ bracket }) => bracket);
  const isSame = rest.every((bracket) => bracket === first);
  if (!isSame && (answers.length > 2 || !answers.every(({ isLabelled }) => isLabelled)))
    return isOne(({ bracket }) => bracket === "[");
  // In a list with commas capitals have a meaning of their own.
  if (answers.some(({ isLabelled }) => isLabelled) || (separator === "," && answers.length > 2)) return null;
  const marked = isOne(({ value }) => /^\p{Lu}/u.test(value));
  const words = answers.map(({ value }) => value.toLowerCase());
  if (new Set(words).size < words.length) return null;
  const pair = findYesNo(answers.map(({ value }) => value));
  // `(y/n/Always)`: a word that begins with a capital among letters.
  const isOfPair = pair === null || marked === pair + 1 || marked === pair + 2;
  return isOfPair ? marked : null;
}
