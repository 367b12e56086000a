/**
 * The program that a command runs: its first word, or one that this one exists to run (`npx eslint`, `python3 -m pytest`). Pure.
 */
import {
  ALIASES,
  BEHIND_DASHES,
  INTERPRETERS,
  PLACE_RUNNERS,
  PROGRAM_RUNNERS,
  RUNNING_SUBCOMMANDS,
  RUNNING_WORDS,
  RUNS_OTHERS,
} from "./programs.js";

export function getBaseName(program: string): string {
  const name = program
    .slice(Math.max(program.lastIndexOf("/"), program.lastIndexOf("\\")) + 1)
    .toLowerCase()
    .replace(/\.(?:exe|cmd|bat|com)$/, "");
  return ALIASES.get(name) ?? name;
}

export function isInterpreter(name: string): boolean {
  return INTERPRETERS.has(name) || /^(?:python|pypy|ruby|perl|php|lua)[0-9.]+$/.test(name);
}

/** The words unchanged, then those of the program that the one before exists to run. */
export function listPrograms(words: readonly string[]): readonly (readonly string[])[] {
  const found = [words];
  for (;;) {
    const inner = readInner(found.at(-1) ?? []);
    if (inner === null || found.length > DEPTH_MAX) return found;
    found.push(inner);
  }
}

/** `uv run npx python3 -m pytest`; more is a trick. */
const DEPTH_MAX = 4;

/** Names of scripts that are programs of a package: `node_modules/eslint/bin/eslint.js`. */
export const SCRIPT = /\.(?:[cm]?js|py|rb|ts)$/;

function readInner(words: readonly string[]): readonly string[] | null {
  const running = readRunning(words);
  if (running !== null) return startAtProgram(running);
  const [program = "", first = "", ...others] = words;
  const name = getBaseName(program);
  if (!isInterpreter(name) || HAVE_COMMANDS.has(name)) return null;
  if (first === "-m") return others.length > 0 ? others : null;
  if (first === "" || first.startsWith("-")) return null;
  return [first.replace(SCRIPT, ""), ...others];
}

/** Their first argument is a command of their own and no script. */
const HAVE_COMMANDS: ReadonlySet<string> = new Set(
  (
    "docker podman kubectl deno bun uv pipx poetry pipenv rye hatch pdm bundle dotnet dart swift mix lein crystal zig conda mamba " +
    "micromamba nix guix devbox mise asdf fnm nvm pyenv rbenv volta"
  ).split(" "),
);

interface Running {
  /** The words that say that a program is run: `npx`, `uv run`, `docker compose exec`. */
  readonly key: string;
  readonly behind: readonly string[];
  /** No option stands among these words. */
  readonly isPlain: boolean;
}

/** Null where the words are not there to run a further program. An option may take the word behind it. */
function readRunning([program = "", ...others]: readonly string[]): Running | null {
  const name = getBaseName(program);
  if (PROGRAM_RUNNERS.has(name)) return { key: name, behind: others, isPlain: true };
  const at = others.findIndex(
    (word, index) =>
      !word.startsWith("-") && (isRunningWord(name, word) || others[index - 1]?.startsWith("-") !== true),
  );
  const [word = "", ...behind] = at < 0 ? [] : others.slice(at);
  const key = `${name} ${word}`;
  if (RUNNING_SUBCOMMANDS.has(key)) {
    const inner = readRunning([key, ...behind]);
    return inner && { ...inner, isPlain: inner.isPlain && at === 0 };
  }
  if (word === "") return name.includes(" ") ? { key: name, behind, isPlain: false } : null;
  return isRunningWord(name, word) ? { key, behind, isPlain: at === 0 } : null;
}

function isRunningWord(name: string, word: string): boolean {
  const key = `${name} ${word}`;
  if (PROGRAM_RUNNERS.has(key) || PLACE_RUNNERS.has(key)) return true;
  return (
    RUNNING_SUBCOMMANDS.get(name)?.includes(word) === true ||
    (HAVE_COMMANDS.has(name) && RUNNING_WORDS.has(word))
  );
}

const FLAG = /^(?:-[qy]|--(?:yes|quiet|no-install|frozen|locked|offline))$/;
const PLACE_FLAG = /^(?:-[itT]{1,2}|--(?:rm|tty|interactive))$/;

/** The program and its words; null where it is not certain which word it is: of other options, it is not known which take a value. */
function startAtProgram({ key, behind, isPlain }: Running): readonly string[] | null {
  if (!isPlain) return null;
  const isPlace = PLACE_RUNNERS.has(key);
  const flag = isPlace ? PLACE_FLAG : FLAG;
  if (BEHIND_DASHES.has(key)) {
    const end = behind.indexOf("--");
    const before = behind[end - 1] ?? "";
    return end < 0 || (before.startsWith("-") && !flag.test(before)) ? null : readWords(behind.slice(end));
  }
  const start = behind.findIndex((word) => !flag.test(word));
  const rest = start < 0 ? [] : behind.slice(start);
  return isPlace && rest[0]?.startsWith("-") === true ? null : readWords(isPlace ? rest.slice(1) : rest);
}

function readWords(words: readonly string[]): readonly string[] | null {
  const rest = words[0] === "--" ? words.slice(1) : words;
  return rest[0] === undefined || rest[0].startsWith("-") ? null : rest;
}

/** Whether the words are there to run a program, and do not say for certain which. */
export function hidesProgram(words: readonly string[]): boolean {
  return readRunning(words) !== null && readInner(words) === null;
}

/** Whether the word behind may also name a task or a module: `mise run test`. */
export function mayRunTask(words: readonly string[]): boolean {
  const running = readRunning(words);
  return running !== null && !PROGRAM_RUNNERS.has(running.key);
}

/** The program among them that runs any others, if there is one. Where it is not certain which word is run, it may be each. */
export function findRunner(words: readonly string[]): string | null {
  const programs = listPrograms(words);
  const last = programs.at(-1) ?? [];
  const possible = hidesProgram(last) ? listInnerCommands(last).map((each) => each.words) : [];
  const names = [...programs, ...possible].map(([program]) => getBaseName(program ?? ""));
  return names.find((name) => RUNS_OTHERS.has(name)) ?? null;
}

export interface InnerCommand {
  readonly words: readonly (string | null)[];
  /** Otherwise an option's value may stand before the program, and these words may be no command. */
  readonly isCertain: boolean;
}

/** Words of a runner of other programs in which the program may stand. */
const INNER_MAX = 10;

/** Every command that a runner of programs may be there to run, however many options stand before it. */
export function listInnerCommands(words: readonly (string | null)[]): readonly InnerCommand[] {
  const [program, ...others] = words;
  if (program == null) return [];
  const name = getBaseName(program);
  const start = countRunnerWords(name, others);
  if (start === null) return [];
  const rest = others.slice(start, start + INNER_MAX);
  const joined = rest.flatMap((word, at) =>
    word !== null && /^-m./.test(word) && isInterpreter(name)
      ? [[word.slice(2), ...others.slice(start + at + 1)]]
      : [],
  );
  const found = rest.flatMap((word, at) =>
    word?.startsWith("-") === true ? [] : [others.slice(start + at)],
  );
  return [...joined, ...found].map((each, at) => ({
    words: each,
    isCertain: at === 0 && !PLACE_RUNNERS.has(`${name} ${others[0] ?? ""}`),
  }));
}

/** How many words behind the name of a runner say that it is one; null if it is none. */
function countRunnerWords(name: string, others: readonly (string | null)[]): number | null {
  if (PROGRAM_RUNNERS.has(name)) return 0;
  const at = others.findIndex((word) => {
    const key = `${name} ${word ?? ""}`;
    return PROGRAM_RUNNERS.has(key) || PLACE_RUNNERS.has(key);
  });
  if (at >= 0) return at + 1;
  return isInterpreter(name) && !HAVE_COMMANDS.has(name) && others.some((word) => word?.startsWith("-m"))
    ? 0
    : null;
}
