/** Which paths a prompt is about: arguments of a structured call, or words of a shell command. */
import { mapStrings } from "../../../model/data/map-strings.js";
import { listPathArguments } from "../../../model/data/path-arguments.js";
import type { CommandLine } from "../command/command-line.js";
import { getBaseName } from "../command/inner-programs.js";
import { joinPath, normalizePath } from "../paths.js";
import { expandBraces, findWideningArgument } from "./argument-fields.js";
import { isWidening } from "./widening-words.js";
import { hasTooManyParts, readWordPaths } from "./word-paths.js";

/** All paths are absolute, with `..` as written and no symbolic link followed. */
export interface CallPaths {
  readonly certain: readonly string[];
  /** Nothing else can be touched: every argument that may be a path is among them. */
  readonly isCertain: boolean;
  /** Whatever a word may name, also inside of a nested command: what a rule that forbids or asks goes by. */
  readonly possible: readonly string[];
  /** Paths beyond `possible` may be touched. */
  readonly isOpen: boolean;
  /** A wildcard matches names below one of `possible`, or links there are followed. */
  readonly hasWildcard: boolean;
  /** It only reads the named files, and none below. */
  readonly onlyLooks: boolean;
}

export interface CallFacts {
  readonly input: unknown;
  readonly line: CommandLine | null;
  readonly directory: string;
  readonly home: string;
  readonly resolve: (path: string) => string;
}

export function listCallPaths(facts: CallFacts): CallPaths {
  const { line } = facts;
  return line === null ? listArgumentPaths(facts) : listCommandPaths(facts, line);
}

function listArgumentPaths(facts: CallFacts): CallPaths {
  const patched = listPatchedFiles(facts.input);
  const written = listPathArguments(facts.input).map((path) => ({ path, names: expandBraces(path) }));
  const named = [...written.flatMap(({ path, names }) => names ?? [path]), ...patched];
  const paths = named.map((path) => joinPath(stripScheme(path), facts.directory, facts.home));
  // A tool may replace these signs, or not.
  const isOpen =
    named.some((path) => /[\u0000$]|^file:.*%|^~[^/]/.test(path)) ||
    written.some(({ names }) => names === null);
  const isCertain =
    named.length > 0 && !isOpen && patched.length === 0 && findWideningArgument(facts.input) === null;
  return { certain: paths, isCertain, possible: paths, isOpen, hasWildcard: false, onlyLooks: false };
}

function stripScheme(path: string): string {
  return path.replace(/^file:\/\//, "");
}

const PATCH = "*** Begin Patch";

function listPatchedFiles(input: unknown): string[] {
  const found: string[] = [];
  mapStrings(input ?? null, (text) => {
    if (text.includes(PATCH))
      for (const [, name = ""] of text.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm))
        found.push(name.trim());
    return text;
  });
  return found;
}

/** More directories than these, and it is not known where a relative path leads. */
const BASES_MAX = 8;
/** They look at the very file that they name, or at a directory's list. */
const LOOKS: ReadonlySet<string> = new Set(
  "ls pwd cd echo printf stat file basename dirname realpath readlink test true cat head tail wc".split(" "),
);

function listCommandPaths({ input, directory, home, resolve }: CallFacts, line: CommandLine): CallPaths {
  const { reading, plain } = line;
  const moves = listMoves(line);
  const bases = listBases(directory, moves, home);
  const join = (path: string): readonly string[] => bases.map((base) => joinPath(path, base, home));
  const plainWords = plain?.flatMap(({ words }) => words.slice(1)) ?? [];
  const words = [...new Set([...plainWords, ...reading.words])];
  const isLink = (path: string): boolean =>
    bases.some(
      (base) => resolve(joinPath(path, base, home)) !== normalizePath(joinPath(path, resolve(base), home)),
    );
  const behindEnd = listBehindEnd(line);
  // A link may have a name that begins with a dash, and not every program reads such a word as an option.
  const isName = (word: string): boolean => word.startsWith("-") && (behindEnd.has(word) || isLink(word));
  const parts = new Map(words.map((word) => [word, readWordPaths(word, isName(word))]));
  const certain = plainWords.flatMap((word) => {
    const { certain: sure = [], attached = [] } = parts.get(word) ?? {};
    return [...sure, ...attached.filter(isLink)];
  });
  const arguments_ = listPathArguments(input).map(stripScheme);
  const possible = [...parts.values()].flatMap(({ certain: sure, attached }) => [...sure, ...attached]);
  const hasWildcard = plain?.some(isWidening) ?? false;
  const isUnreadable =
    words.some((word) => hasTooManyParts(word) || /^~[^/]/.test(word)) || bases.length > BASES_MAX;
  // In a plain line nothing but wildcards is only known when it runs.
  const hasOpenWords = plain === null ? reading.hasUnknownWords : false;
  return {
    certain: [...new Set(certain.flatMap(join))],
    isCertain:
      plain !== null && !plain.some(isMove) && !moves.includes(null) && !hasWildcard && !isUnreadable,
    possible: [...new Set([...possible, ...arguments_].flatMap(join))],
    isOpen: reading.isOpen || hasOpenWords || isUnreadable || moves.includes(null),
    hasWildcard,
    onlyLooks: reading.commands.every(({ words: [program, ...others] }) => looksOnly(program, others)),
  };
}

function looksOnly(program: string | null | undefined, others: readonly (string | null)[]): boolean {
  const isRecursive = others.some((word) => word === null || /^-[A-Za-z]*R|^--r/.test(word));
  return program != null && LOOKS.has(getBaseName(program)) && !isRecursive;
}

/** Words after a `--`, none of which is an option. */
function listBehindEnd({ reading, plain }: CommandLine): ReadonlySet<string | null> {
  const behind = [...reading.commands, ...(plain ?? [])].flatMap(({ words }) =>
    words.includes("--") ? words.slice(words.indexOf("--") + 1) : [],
  );
  return new Set(behind);
}

const MOVING: ReadonlySet<string> = new Set(["cd", "chdir", "pushd", "popd"]);
/** Options by which programs work in another directory. */
const MOVING_OPTION = /^(?:-C|--(?:directory|chdir|cwd|prefix|work-tree|git-dir|dir))(?:=(.*))?$/s;

function isMove({ words: [program = ""] }: { readonly words: readonly string[] }): boolean {
  return MOVING.has(getBaseName(program));
}

/** Where the line goes, in order; null where that is only known when it runs. */
function listMoves({ reading, plain }: CommandLine): readonly (string | null)[] {
  const commands = [...reading.commands, ...(plain ?? [])];
  return commands.flatMap(({ words: [program, ...others] }) => {
    const moves = others.flatMap((word, at) => {
      const found = word === null ? null : MOVING_OPTION.exec(word);
      if (found) return [found[1] ?? others[at + 1] ?? null];
      const attached = word === null ? null : /^-C(.+)$/s.exec(word);
      return attached ? [attached[1] ?? null] : [];
    });
    if (program == null || !MOVING.has(getBaseName(program))) return moves;
    const end = others.includes("--") ? others.indexOf("--") : others.length;
    const target = others.find((word, at) => word === null || at > end || !word.startsWith("-"));
    const isKnown = getBaseName(program) !== "popd" && !others.includes("-");
    return [...moves, isKnown ? (target === undefined ? "~" : target) : null];
  });
}

/** Each directory in which a relative path may be meant. */
function listBases(directory: string, moves: readonly (string | null)[], home: string): readonly string[] {
  const bases = new Set([directory]);
  for (const move of new Set(moves)) {
    if (bases.size > BASES_MAX) break;
    if (move !== null) for (const base of [...bases]) bases.add(joinPath(move, base, home));
  }
  return [...bases];
}
