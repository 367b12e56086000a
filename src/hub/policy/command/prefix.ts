/** One entry of `command:` in a rule: words that a command begins with, and what must not follow them. Pure. */
import {
  findRunner,
  getBaseName,
  hidesProgram,
  isInterpreter,
  listPrograms,
  mayRunTask,
  SCRIPT,
} from "./inner-programs.js";
import type { AllowedOptions, Escapes } from "./escapes.js";
import { ESCAPES, UNLISTED } from "./options.js";
import { PROGRAMS_IN_WORDS, RUNNING_WORDS } from "./programs.js";

export interface CommandPrefix {
  readonly words: readonly string[];
  readonly isExact: boolean;
}

export function parsePrefix(entry: string | { readonly exactly: string }): CommandPrefix {
  const isExact = typeof entry !== "string";
  const text = isExact ? entry.exactly : entry;
  return { words: text.split(/ +/), isExact };
}

export function findPrefixProblem({ words, isExact }: CommandPrefix): string | null {
  const runner = findRunner(words);
  if (runner !== null)
    return `${runner} runs other programs or changes what they are: no rule can answer for it. Name the program that it runs.`;
  if (isExact) return null;
  const programs = listPrograms(words);
  const names = programs.map(([program = ""]) => getBaseName(program));
  const coded = names.find((name) => PROGRAMS_IN_WORDS.has(name));
  if (coded !== undefined) return `the arguments of ${coded} are programs: write {exactly: …}`;
  return (
    dropScripts(programs)
      .map(findOpenEnd)
      .find((problem) => problem !== null) ?? null
  );
}

/** A script may have the name of a program: `node scripts/docker.js`. */
function dropScripts(programs: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return programs.filter((_, at) => !SCRIPT.test(programs[at - 1]?.[1] ?? ""));
}

/** Why words that follow could make these run anything, or null. */
function findOpenEnd(words: readonly string[]): string | null {
  const [program = "", second, third] = words;
  const name = getBaseName(program);
  const { ownWords } = getEscapes(name) ?? {};
  // A word after an option may be its value.
  const isOption = (word: string, at: number, all: readonly string[]): boolean =>
    word.startsWith("-") || (all[at - 1]?.startsWith("-") === true && ownWords?.includes(word) === false);
  if (HAVE_SUBCOMMANDS.has(name) && second !== undefined && words.slice(1).every(isOption))
    return `${name} ${second} may run or change anything: name what it does as well`;
  if (hidesProgram(words))
    return `${words.join(" ")} runs any program: name that as well, without options before it, or write {exactly: …}`;
  if (!isInterpreter(name)) return null;
  const isOpen =
    second === undefined || ((second.startsWith("-") || RUNNING_WORDS.has(second)) && third === undefined);
  if (isOpen)
    return `${name} runs whatever its arguments say: name that as well, such as "${name} scripts/check"`;
  // Only `-m` is followed by a name; other options may be followed by the text of a program.
  return second.startsWith("-") && second !== "-m"
    ? `${name} ${second} may take a program: write {exactly: …}`
    : null;
}

/** Whether the words are what the rule names, word by word. Null: yes; otherwise what differs. */
export function findDifference(prefix: CommandPrefix, words: readonly string[]): string | null {
  const differs = prefix.words.some((word, at) => word !== words[at]);
  if (differs) return "other words";
  const rest = words.slice(prefix.words.length);
  if (prefix.isExact) return rest.length === 0 ? null : `more words than the rule names`;
  const [programs, named] = [listPrograms(words), listPrograms(prefix.words)];
  if (programs.some(hidesProgram) || programs.length > named.length)
    return "the rule does not name the program that runs";
  const leading = dropScripts(named).map((each) => findLeadingEscape(each, rest));
  const escape = leading.find((word) => word !== null) ?? findEscape(prefix, words, rest);
  return escape === null ? null : `${JSON.stringify(escape)} could run or write something else`;
}

/** Before the word that says what a program does, options say where and with which settings. */
function findLeadingEscape(words: readonly string[], [first]: readonly string[]): string | null {
  const name = getBaseName(words[0] ?? "");
  if (words.length > (words[1] === "compose" ? 2 : 1) || first === undefined || first === "--version")
    return null;
  if (HAVE_SUBCOMMANDS.has(name) && first.startsWith("-")) return first;
  return getEscapes(name)?.ownWords?.includes(first) === false ? first : null;
}

const HAVE_SUBCOMMANDS: ReadonlySet<string> = new Set(
  "git npm pnpm yarn cargo go make gh docker podman kubectl helm terraform tofu aws gcloud az systemctl apt brew pip".split(
    " ",
  ),
);

function getEscapes(name: string): Escapes | undefined {
  // `gcc-12` is known as `gcc`.
  const known = Object.hasOwn(ESCAPES, name) ? name : name.replace(/-[0-9.]+(?= |$)/, "");
  return Object.hasOwn(ESCAPES, known) ? ESCAPES[known] : undefined;
}

/** The first word that makes a program run or write something that the rule does not name. */
function findEscape(prefix: CommandPrefix, words: readonly string[], rest: readonly string[]): string | null {
  const programs = listPrograms(words);
  for (const [at, program] of programs.entries()) {
    const name = getBaseName(program[0] ?? "");
    const tables = listTables(name, program.slice(1, prefix.words.length + 1));
    const isUnlisted = tables.length === 0 && (at === programs.length - 1 || mayRunTask(program));
    for (const table of isUnlisted ? [UNLISTED] : tables) {
      const found =
        findRefused(table, table.readsRule ? program.slice(1) : rest) ??
        findExtraWord(table, program.slice(1), rest);
      if (found !== null) return found;
    }
    const only = tables.findLast((table) => table.only !== undefined);
    const bare = prefix.words.length === 1 && only?.hasBareLetters === true ? rest.slice(0, 1) : [];
    const options = bare
      .map((word) => (word.startsWith("-") ? word : `-${word}`))
      .concat(only?.readsRule === true ? program.slice(1) : rest.slice(bare.length));
    const found = only === undefined ? null : findUnlistedOption(only, options);
    if (found !== null) return found;
  }
  return null;
}

function listTables(name: string, words: readonly string[]): readonly Escapes[] {
  const keys = [name, ...words.map((word) => `${name} ${word}`)];
  return keys.flatMap((key) => getEscapes(key) ?? []);
}

/** A `--` may be the value of an option, so the words after it are checked as well. */
function findRefused(
  { long = [], byWord, short = "", words, isShellLine }: Escapes,
  rest: readonly string[],
): string | null {
  const isRefused = (word: string): boolean =>
    isLongEscape(word, long) ||
    (byWord === true && holdsWord(word, long)) ||
    isShortEscape(word, short) ||
    words?.test(word) === true ||
    (isShellLine === true && !SHELL_SAFE.test(word));
  return rest.find(isRefused) ?? null;
}

/** Text that a shell never changes, anywhere in a line. */
const SHELL_SAFE = /^[A-Za-z0-9_@+=:,./-]+$/;

/** A dash alone is the standard input, and no word after a `--` is an option: the next word may be a file to write. */
function findExtraWord(
  { maxWords }: Escapes,
  all: readonly string[],
  rest: readonly string[],
): string | null {
  if (maxWords === undefined) return null;
  const end = all.includes("--") ? all.indexOf("--") : all.length;
  const isPlain = (word: string, at: number): boolean => !word.startsWith("-") || word === "-" || at > end;
  if (all.filter(isPlain).length <= maxWords) return null;
  const start = all.length - rest.length;
  return all.findLast((word, at) => at >= start && isPlain(word, at)) ?? null;
}

function findUnlistedOption({ only, onlyBehind }: Escapes, rest: readonly string[]): string | null {
  const end = onlyBehind === undefined || !rest.includes("--") ? rest.length : rest.indexOf("--");
  const isOther = (word: string, allowed: AllowedOptions | undefined): boolean =>
    word.startsWith("-") && !/^--?$/.test(word) && allowed !== undefined && !isAllowed(word, allowed);
  return rest.find((word, at) => isOther(word, at < end ? only : onlyBehind)) ?? null;
}

function isAllowed(
  word: string,
  { long, short, valued = "", exact = [], isSingleDash }: AllowedOptions,
): boolean {
  if (exact.includes(word)) return true;
  if (word.startsWith("--") || isSingleDash === true)
    return long.some((each) => normalize(each) === readOptionName(word));
  const letters = [...word.slice(1)];
  const end = letters.findIndex((sign) => !/[0-9]/.test(sign) && !short.includes(sign));
  return end < 0 || valued.includes(letters[end] ?? "");
}

/** Without dashes and case: some programs do not tell `--setupFiles` from `--setup-files`. */
export function normalize(name: string): string {
  return name.replace(/[-_]/g, "").toLowerCase();
}

export function readOptionName(word: string): string {
  return normalize(word.replace(/=.*$/s, ""));
}

/** A name that is longer by a word mostly means the same: `--output-file`. */
const STEM_MIN = 4;

/** Programs take abbreviations of long options; some take long options behind one dash. */
function isLongEscape(word: string, long: readonly string[]): boolean {
  if (!/^--?[A-Za-z]/.test(word)) return false;
  const name = readOptionName(word);
  return long.map(normalize).some((each) => {
    if (!word.startsWith("--")) return each === name;
    return each.startsWith(name) || (each.length >= STEM_MIN && name.startsWith(each));
  });
}

/** One word of the option's name says it: `--unzip-command`, `--agentProgram`. */
function holdsWord(word: string, long: readonly string[]): boolean {
  const name = /^--?([A-Za-z][^=]*)/.exec(word)?.[1];
  if (name === undefined) return false;
  const parts = name
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, "-")
    .toLowerCase()
    .split(/[-_.]/);
  if (parts[0] === "no" || parts.join("-") === "dry-run") return false;
  return long.some((each) => {
    const isStem = each.length >= STEM_MIN;
    return (
      parts.some((part) => part === each || (isStem && part.startsWith(each))) ||
      (isStem && normalize(name).endsWith(normalize(each)))
    );
  });
}

function isShortEscape(word: string, short: string): boolean {
  return /^-[A-Za-z0-9]/.test(word) && [...short].some((letter) => word.includes(letter, 1));
}
