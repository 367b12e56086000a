/**
 * Choices in the line of the question: `Stage this hunk [y,n,q,?]?`, `[y]es, [n]o, [A]ll:`, `(Y/I/N) [default=N]`,
 * `[red/green] (red):`. The answer is the letter or word exactly as shown.
 */

export interface InlineChoice {
  readonly label: string;
  /** What to type. */
  readonly value: string;
  /** What a bare letter stands for wherever it is asked for. Absent: every program has its own meaning for it. */
  readonly detail?: string;
}

export interface InlineChoices {
  readonly items: readonly InlineChoice[];
  /** The line without its choices, unless nothing is left then. */
  readonly question: string;
  /** The 1-based choice that Enter alone takes; null when none is marked. */
  readonly byDefault: number | null;
}

export function readInlineChoices(line: string): InlineChoices | null {
  const text = line.trim();
  return readLetters(text) ?? readWordsWithLetter(text) ?? readWordsWithDefault(text);
}

/** `[y,n,q,a,d,/,e,?]?`, `(Y/I/N/O/D/Z) [default=N] ?`: three single characters or more, or with commas two. */
const LETTERS =
  /[[(]((?:[a-zA-Z/?],){1,15}[a-zA-Z/?]|(?:[a-zA-Z]\/){2,15}[a-zA-Z?])[\])] ?(?:\[default=([a-zA-Z])\])? ?[?:]?$/u;

function readLetters(text: string): InlineChoices | null {
  const match = LETTERS.exec(text);
  const letters = match?.[1];
  if (!match || letters === undefined) return null;
  const values = letters.split(letters.includes(",") ? "," : "/");
  const items = values.map((value) => ({ label: value, value, ...explainLetter(value) }));
  const question = text.slice(0, match.index).trim();
  return { items, question: match[2] ? text : question, byDefault: findPosition(values, match[2]) };
}

const MEANINGS: ReadonlyMap<string, string> = new Map([
  ["y", "yes"],
  ["n", "no"],
  ["q", "quit"],
  ["?", "help"],
]);

function explainLetter(letter: string): Pick<InlineChoice, "detail"> {
  const detail = MEANINGS.get(letter.toLowerCase());
  return detail === undefined ? {} : { detail };
}

/** `[O]pen`, `(E)dit anyway`: a letter in brackets begins a word; group 2 is the bracket's inside, 3 the rest. */
const WORD = /([[(])([A-Za-z])[\])]([A-Za-z][A-Za-z' -]{0,40})?/u;
/** Separators between two such words. */
const BETWEEN = /, or |, | or |\/| \| /u;
const LINE_LENGTH_MAX = 400;

function readWordsWithLetter(text: string): InlineChoices | null {
  if (text.length > LINE_LENGTH_MAX) return null;
  const found = text.split(BETWEEN).map((part) => WORD.exec(part));
  const words = found.filter((word) => word !== null);
  if (words.length < 2 || words.length !== found.length) return null;
  const items = words.map(([, , letter = "", rest = ""]) => ({
    label: letter + rest.trimEnd(),
    value: letter,
  }));
  return {
    items,
    question: readQuestionBefore(text),
    byDefault: findNamedDefault(text, items) ?? findOddBracket(words.map(([, bracket]) => bracket)),
  };
}

/** `(Y)es/(N)o/(D)on't ask again [Yes]:` names the default at the end. */
function findNamedDefault(text: string, items: readonly InlineChoice[]): number | null {
  const name = / \[([^[\]]{2,40})\] ?:?$/u.exec(text)?.[1];
  return findPosition(
    items.map(({ label }) => label),
    name,
  );
}

/** `replace a.txt? [y]es, …` asks before its choices; `Change (N)ame, …` reads as a whole. */
function readQuestionBefore(text: string): string {
  const before = text.slice(0, text.search(WORD)).trim();
  return before.endsWith("?") ? before : text;
}

/** `[O]pen, (E)dit, (Q)uit`: the only one in other brackets is the default. */
function findOddBracket(brackets: readonly (string | undefined)[]): number | null {
  const square = brackets.flatMap((bracket, index) => (bracket === "[" ? [index + 1] : []));
  return square.length === 1 && brackets.length > 2 ? (square[0] ?? null) : null;
}

/** Words count as choices only if one of them is named as the default: `(dd/mm/yyyy)` is a hint, no menu. */
const WORDS =
  / ?[[(]([\w.+-]{1,30}(?:(?:\/|\||, ?)[\w.+-]{1,30}){1,20})[\])] ?[[(]([\w.+-]{1,30})[\])] ?[?:]?$/u;

function readWordsWithDefault(text: string): InlineChoices | null {
  const match = text.length > LINE_LENGTH_MAX ? null : WORDS.exec(text);
  const values = match?.[1]?.split(/\/|\||, ?/u) ?? [];
  const byDefault = findPosition(values, match?.[2]);
  if (!match || byDefault === null) return null;
  return {
    items: values.map((value) => ({ label: value, value })),
    question: text.slice(0, match.index).trim(),
    byDefault,
  };
}

function findPosition(values: readonly string[], value: string | undefined): number | null {
  const index = value === undefined ? -1 : values.indexOf(value);
  return index < 0 ? null : index + 1;
}
