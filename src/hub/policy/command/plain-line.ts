/**
 * Our own strict reading of a shell command: only what bash, dash, zsh, ksh and fish read alike. Whatever is not plain here is never
 * answered by a rule, so a mistake in this file costs a question, not a command. Pure.
 */

export interface PlainCommand {
  /** The words as the program gets them, the program's name first. A word with a wildcard is unchanged. */
  readonly words: readonly string[];
}

export type PlainReading =
  | { readonly ok: true; readonly commands: readonly PlainCommand[] }
  | { readonly ok: false; readonly why: string };

export const LINE_LENGTH_MAX = 8192;

/** Printable ASCII, tab, line feed; letters, digits and marks of other scripts (only inside quotes, see below). */
const ALLOWED = /^[\t\n -~\p{L}\p{N}\p{M}\p{P}\p{S}]*$/u;
/** Letters, marks and signs that a terminal draws as nothing, or as blank. */
const INVISIBLE =
  /[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\u{e0100}-\u{e01ef}]|\p{Default_Ignorable_Code_Point}/u;
const BLANKS = /[ \t]*/y;
const UNQUOTED = /[A-Za-z0-9_@%+=:,./*?-]+/y;
/** Fish reads `\'` and `\\` there as an escaped character, PowerShell ends it at a curly quote. */
const SINGLE_QUOTED = /'((?:[^'\\\u2018-\u201f]|\\(?!['\\]))*)'(?!['"])/y;
/** No expansion (`$`, a backtick, history's `!`), and a backslash only as a literal character. */
const DOUBLE_QUOTED = /"((?:[^"$`!\\\u2018-\u201f]|\\(?![$`"\\!\n]))*)"(?!['"])/y;
/** Joins outputs or drops them; anything else writes or reads a file. */
const REDIRECTION = /(?:2>&1|1?>&2|[12]?>[ \t]*\/dev\/null|<[ \t]*\/dev\/null)(?=[ \t\n;|]|&&|$)/y;
const OPERATOR = /&&(?!&)|\|\|(?!\|)|\|(?![|&])|;(?![;&])|\n/y;
const HOME = /~(?=\/|[ \t\n;|]|$)/y;
const REVISION = /~(?=[0-9])/y;
const BLANK_LINES = /[ \t\n]*/y;

/** Words that a shell reads as its own grammar where a command begins. */
const RESERVED = new Set(
  (
    "if then else elif fi case esac for select while until do done in function time coproc repeat foreach end nocorrect noglob " +
    "always declare typeset"
  ).split(" "),
);
const PROGRAM = /^[A-Za-z0-9_.+/~-]+$/;
const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*(?:\[[^\]]*\])?\+?=/;

/** Splits a line into simple commands, or says why it is not plain. */
export function readPlainLine(line: string): PlainReading {
  if (line.length > LINE_LENGTH_MAX)
    return refuse(`the command is longer than ${LINE_LENGTH_MAX} characters`);
  if (!ALLOWED.test(line) || INVISIBLE.test(line))
    return refuse("the command has control or invisible characters");
  return new Reader(line).read();
}

function refuse(why: string): PlainReading {
  return { ok: false, why };
}

/** A word with what its quoting hides: whether a shell would replace a wildcard in it. */
interface Word {
  readonly text: string;
  readonly isWildcard: boolean;
}

class Reader {
  readonly #line: string;
  #at = 0;

  constructor(line: string) {
    this.#line = line;
  }

  read(): PlainReading {
    const commands: PlainCommand[] = [];
    let joint: string | null = null;
    for (;;) {
      this.#consume(BLANK_LINES);
      if (this.#at === this.#line.length) break;
      const words = this.#readWords();
      if (typeof words === "string") return refuse(words);
      const problem = findCommandProblem(words);
      if (problem !== null) return refuse(problem);
      commands.push({ words: words.map(({ text }) => text) });
      joint = this.#consume(OPERATOR)?.[0] ?? null;
      if (joint === null && this.#at < this.#line.length) return refuse(this.#describeRest());
    }
    if (commands.length === 0) return refuse("there is no command");
    if (joint !== null && /[&|]/.test(joint)) return refuse("the command is not complete");
    return { ok: true, commands };
  }

  #readWords(): readonly Word[] | string {
    const words: Word[] = [];
    for (;;) {
      this.#consume(BLANKS);
      if (this.#at === this.#line.length || this.#looksAt(OPERATOR)) return words;
      if (this.#consume(REDIRECTION)) continue;
      const word = this.#readWord();
      if (word === null) return this.#describeRest();
      words.push(word);
    }
  }

  #readWord(): Word | null {
    const home = this.#consume(HOME)?.[0] ?? "";
    const parts: Word[] = home === "" ? [] : [{ text: home, isWildcard: false }];
    for (;;) {
      const bare =
        this.#consume(UNQUOTED)?.[0] ?? (parts.length > 0 ? this.#consume(REVISION)?.[0] : undefined);
      const quoted =
        bare === undefined ? (this.#consume(SINGLE_QUOTED) ?? this.#consume(DOUBLE_QUOTED))?.[1] : undefined;
      const text = bare ?? quoted;
      if (text === undefined) break;
      // Inside quotes it is the name of a file, unlike the sign for the home directory.
      if (parts.length === 0 && quoted?.startsWith("~")) return null;
      parts.push({ text, isWildcard: bare !== undefined && /[*?]/.test(bare) });
    }
    if (parts.length === 0 || !this.#isWordEnd()) return null;
    return {
      text: parts.map(({ text }) => text).join(""),
      isWildcard: parts.some((part) => part.isWildcard),
    };
  }

  #isWordEnd(): boolean {
    return this.#at === this.#line.length || /[ \t\n;|&]/.test(this.#line[this.#at] ?? "");
  }

  #describeRest(): string {
    const sign = String.fromCodePoint(this.#line.codePointAt(this.#at) ?? 0);
    return `${NAMES.get(sign) ?? `the sign ${JSON.stringify(sign)}`} is nothing that a rule may answer`;
  }

  #looksAt(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    return pattern.test(this.#line);
  }

  #consume(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#line);
    if (found) this.#at = pattern.lastIndex;
    return found;
  }
}

const NAMES: ReadonlyMap<string, string> = new Map([
  ["$", "an expansion ($)"],
  ["`", "a command substitution (`)"],
  ["(", "a group or function (()"],
  [")", "a group or function ())"],
  ["<", "reading a file or text (<)"],
  [">", "writing a file (>)"],
  ["&", "running in the background (&)"],
  ["\\", "an escaped character (\\)"],
  ["'", "this quoting (')"],
  ['"', 'an expansion or escape inside quotes (")'],
  ["!", "history or negation (!)"],
  ["#", "a comment (#)"],
]);

function findCommandProblem([first, ...others]: readonly Word[]): string | null {
  if (first === undefined) return "there is no command between two operators";
  const program = first.text;
  if (ASSIGNMENT.test(program)) return "it sets a variable for the command";
  if (!PROGRAM.test(program) || program.startsWith("-") || first.isWildcard)
    return `${JSON.stringify(program)} is no plain program name`;
  if (RESERVED.has(program)) return `${program} is a word of the shell's grammar`;
  if (others.some(({ text }) => text.startsWith("=")))
    return "a word begins with =, which some shells replace";
  // `*.ts` may match a file whose name begins with a dash.
  return others.some(({ text, isWildcard }) => isWildcard && !/^[A-Za-z0-9_./~]/.test(text))
    ? "a wildcard could become an option of the program"
    : null;
}
