/** Words of a command by which more may be touched than they name: a program expands them, or follows every link below. Pure. */
import { getBaseName, listPrograms } from "../command/inner-programs.js";
import { PROGRAMS_IN_WORDS } from "../command/programs.js";
import { READING_ESCAPES } from "../command/options.js";

interface WideningCommand {
  readonly words: readonly string[];
}

/** Whether a word covers names below the written one. */
export function isWidening({ words }: WideningCommand): boolean {
  const others = words.slice(1);
  const name = getBaseName(listPrograms(words).at(-1)?.[0] ?? "");
  return others.some((word, at) => WILDCARD.test(word) || follows(name, word) || expands(name, others, at));
}

const WILDCARD = /[*?]/;
/** Brackets, braces and a backslash are replaced by many programs. */
const PATTERN = /[[{\\]/;
/** `:(top)x`, `:!x`; a path of a revision, `HEAD:x`, begins with the revision. */
const GIT_PATTERN = /[[\\]|^:[(!^]/;

/** They take such signs as they stand, or as a pattern or code that is not about names of files. */
const LITERAL: ReadonlySet<string> = new Set([
  ...Object.keys(READING_ESCAPES),
  ...PROGRAMS_IN_WORDS,
  ..."rg ag ack find fd fdfind diff sort wc du file tree uniq xxd date".split(" "),
  ..."pytest cargo go make mvn gradle".split(" "),
]);

function expands(name: string, others: readonly string[], at: number): boolean {
  const word = others[at] ?? "";
  if (name !== "git") return !LITERAL.has(name) && PATTERN.test(word);
  // A message is no name.
  const isMessage = others[0] === "commit" && /^(?:-[a-z]*m|--message)$/.test(others[at - 1] ?? "");
  return !isMessage && !/^--message=/.test(word) && GIT_PATTERN.test(word);
}

function follows(name: string, word: string): boolean {
  return Object.hasOwn(FOLLOWING, name) && FOLLOWING[name]?.test(word) === true;
}

/** Options by which a program goes through links that it meets on its way. */
const FOLLOWING: Readonly<Record<string, RegExp>> = {
  find: /^-(?:[EHLPXdsx]*[HL][EHLPXdsx]*|follow)$/,
  ...{
    rg: /^--follow|^-[A-Za-z0-9.]*L/,
    fd: /^--follow|^-[A-Za-z0-9]*L/,
    fdfind: /^--follow|^-[A-Za-z0-9]*L/,
  },
  ...{ ag: /^--fo|^-[A-Za-z0-9]*f/, ack: /^--fo/ },
  ...{
    grep: /^--de|^-[A-Za-z0-9]*[RS]/,
    egrep: /^--de|^-[A-Za-z0-9]*[RS]/,
    fgrep: /^--de|^-[A-Za-z0-9]*[RS]/,
  },
  // Only together with `-R`, which may be in another word.
  ls: /^--de|^-[A-Za-z0-9]*L/,
  du: /^--de|^-[A-Za-z0-9]*L/,
  tree: /^-[A-Za-z0-9]*l/,
  // It compares what the links of both folders lead to.
  diff: /^--rec|^-[A-Za-z0-9]*r/,
  cp: /^--de|^-[A-Za-z0-9]*L/,
};
