/** Whether a command is, or may be (`unknown`), what a rule forbids or asks about, with other words, options or a runner around it. */
import { readGitCommand } from "./git-command.js";
import { getBaseName, listInnerCommands } from "./inner-programs.js";
import { normalize, readOptionName, type CommandPrefix } from "./prefix.js";
import { remember } from "../remember.js";
import { ESCAPES } from "./options.js";

export type Truth = "yes" | "no" | "unknown";

type Words = readonly (string | null)[];

/** Exact or not, the rule gives the same result here. */
export function findMatch(prefix: CommandPrefix, found: Words): Truth {
  const wanted = readWanted(prefix);
  let best: Truth = "no";
  for (const { base, rest, isCertain } of listCandidates(found)) {
    const truth = matchCommand(wanted, base, rest);
    if (truth === "yes" && isCertain) return "yes";
    if (truth !== "no") best = "unknown";
  }
  return best;
}

interface Wanted {
  readonly base: string;
  readonly plain: readonly string[];
  readonly options: readonly string[];
}

const readWanted = remember((prefix: CommandPrefix): Wanted => {
  const [program = "", ...words] = prefix.words;
  const isOption = (word: string): boolean => /^-+[^-]/.test(word);
  const [plain, options] = [words.filter((word) => !isOption(word)), words.filter(isOption)];
  return { base: getBaseName(program), plain, options };
});

interface PossibleCommand {
  /** Null: only known when it runs. */
  readonly base: string | null;
  readonly rest: Words;
  readonly isCertain: boolean;
}

const listCandidates = remember((found: Words): readonly PossibleCommand[] => {
  const all = [{ words: found, isCertain: true }, ...listInnerCommands(found)];
  return all.map(({ words: [name, ...rest], isCertain }) => ({
    base: name == null ? null : getBaseName(name),
    rest,
    isCertain,
  }));
});

function findWorst(truths: readonly Truth[]): Truth {
  return truths.find((truth) => truth === "no") ?? truths.find((truth) => truth === "unknown") ?? "yes";
}

function matchCommand({ base: wanted, plain, options }: Wanted, base: string | null, rest: Words): Truth {
  if (base === null) return "unknown";
  if (base !== wanted) return "no";
  const truth = findWorst([
    matchPlain(plain, rest),
    ...options.map((option) => matchOption(option, { base, plain, rest })),
  ]);
  return truth === "no" && base === "git" && isAlias(rest) ? "unknown" : truth;
}

/** A name that somebody gave, or gives here, to any command of git. */
function isAlias(rest: Words): boolean {
  const { command } = readGitCommand(rest);
  if (rest.some((word) => word !== null && /^(?:-c)?alias\./i.test(word))) return true;
  return (
    command != null && ESCAPES["git"]?.ownWords?.includes(command) === false && !GIT_COMMANDS.has(command)
  );
}

/** Beside those that a rule for `git` alone lets pass. */
const GIT_COMMANDS: ReadonlySet<string> = new Set(
  (
    "bisect config filter-branch submodule difftool mergetool send-email hook for-each-repo credential fast-import fast-export maintenance " +
    "help gc fsck prune repack update-index update-ref hash-object write-tree read-tree commit-tree sparse-checkout lfs blame bundle " +
    "request-pull stage var verify-commit verify-tag rerere replace interpret-trailers mktree pack-refs column annotate"
  ).split(" "),
);

/** In the order of the rule, with other words between them. */
function matchPlain(wanted: readonly string[], rest: Words): Truth {
  let at = 0;
  let isCertain = true;
  for (const [index, word] of wanted.entries()) {
    let next = rest.findIndex((each, position) => position >= at && each === word);
    if (next < 0) {
      isCertain = false;
      next = rest.findIndex(
        (each, position) => position >= at && each !== null && resembles(each, word, index === 0),
      );
    }
    if (next < 0) return rest.includes(null) ? "unknown" : "no";
    at = next + 1;
  }
  return isCertain ? "yes" : "unknown";
}

/** A part of a path, of a reference or of a value; of a program's own commands, an abbreviation (`npm pub`). */
function resembles(found: string, word: string, isCommand: boolean): boolean {
  if (found.startsWith("-")) return false;
  if (isCommand && found.length >= ABBREVIATION_MIN && word.startsWith(found)) return true;
  return found.split(/[:+@=/]/).includes(word);
}

const ABBREVIATION_MIN = 2;

interface OptionPlace {
  readonly base: string;
  readonly plain: readonly string[];
  readonly rest: Words;
}

/** Options may stand anywhere behind the program. */
function matchOption(option: string, { base, plain, rest }: OptionPlace): Truth {
  if (rest.includes(option)) return "yes";
  const known = rest.filter((word) => word !== null);
  const isForcedReference =
    base === "git" &&
    plain.includes("push") &&
    readOptionName(option) === "force" &&
    known.some((word) => /^\+./.test(word));
  if (isForcedReference) return "yes";
  const truth = /^-[A-Za-z]{1,4}$/.test(option)
    ? findWorst([...option.slice(1)].map((letter) => matchLetter(letter, base, known)))
    : matchLong(option, base, known);
  return truth === "no" && rest.includes(null) ? "unknown" : truth;
}

/** Long options whose letter is known for certain, by program. Of others, the first letter is only taken as a hint. */
const LETTERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  git: { force: "f", all: "a", "no-verify": "n" },
  rm: { recursive: "rR", force: "f" },
  cp: { recursive: "rR", force: "f" },
  chmod: { recursive: "R" },
  chown: { recursive: "R" },
};

/** Their single dashes begin names, not letters. */
const NAMES_BEHIND_ONE_DASH: ReadonlySet<string> = new Set(
  "find go java javac terraform tofu openssl ffmpeg convert".split(" "),
);

function matchLong(option: string, base: string, known: readonly string[]): Truth {
  const name = readOptionName(option);
  const letters = Object.entries(LETTERS[base] ?? {}).find(([long]) => normalize(long) === name)?.[1] ?? "";
  const clusters = known.filter(isCluster);
  if ([...letters].some((letter) => clusters.some((word) => word.includes(letter)))) return "yes";
  const initial = name[0] ?? "";
  const isHint = clusters.some(
    (word) => !NAMES_BEHIND_ONE_DASH.has(base) && word.toLowerCase().includes(initial),
  );
  const isSimilar = known.some((word) => {
    if (!/^-+[^-]/.test(word) || (isCluster(word) && !NAMES_BEHIND_ONE_DASH.has(base))) return false;
    const other = readOptionName(word);
    return other !== "" && (name.startsWith(other) || other.startsWith(name));
  });
  return isHint || isSimilar ? "unknown" : "no";
}

function matchLetter(letter: string, base: string, known: readonly string[]): Truth {
  const clusters = known.filter(isCluster);
  const isNamed = !NAMES_BEHIND_ONE_DASH.has(base);
  if (clusters.some((word) => word.length <= CLUSTER_MAX && word.includes(letter)))
    return isNamed ? "yes" : "unknown";
  const long = known.filter((word) => word.startsWith("--")).map(readOptionName);
  const names = Object.entries(LETTERS[base] ?? {}).filter(([, letters]) => letters.includes(letter));
  if (names.some(([name]) => long.includes(normalize(name)))) return "yes";
  const isHint =
    clusters.some((word) => word.toLowerCase().includes(letter.toLowerCase())) ||
    long.some((name) => name.startsWith(letter.toLowerCase()));
  return isHint ? "unknown" : "no";
}

/** Longer ones hold a value, or are a name. */
const CLUSTER_MAX = 6;

function isCluster(word: string): boolean {
  return /^-[A-Za-z]/.test(word);
}
