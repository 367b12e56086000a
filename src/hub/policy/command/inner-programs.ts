/** Which program a command runs: its first word, or one that this one is there to run (`npx eslint`, `python3 -m pytest`). Pure. */
import { ALIASES, INTERPRETERS, PLACE_RUNNERS, PROGRAM_RUNNERS } from "./programs.js";

/** The name of a program without its directory and its ending, as case-insensitive systems read it. */
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

/** The words as they stand, then those of the program that the one before is there to run. */
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
const SCRIPT = /\.(?:[cm]?js|py|rb|ts)$/;

function readInner([program = "", ...others]: readonly string[]): readonly string[] | null {
  const name = getBaseName(program);
  const [first = ""] = others;
  if (PROGRAM_RUNNERS.has(name)) return startAtProgram(others);
  if (PROGRAM_RUNNERS.has(`${name} ${first}`)) return startAtProgram(others.slice(1));
  if (!isInterpreter(name) || HAVE_COMMANDS.has(name)) return null;
  if (first === "-m") return others.length > 1 ? others.slice(1) : null;
  if (first === "" || first.startsWith("-")) return null;
  return [first.replace(SCRIPT, ""), ...others.slice(1)];
}

/** Their first argument is a command of their own and no script. */
const HAVE_COMMANDS: ReadonlySet<string> = new Set(
  (
    "docker podman kubectl deno bun uv pipx poetry pipenv rye hatch pdm bundle dotnet dart swift mix lein crystal zig conda mamba " +
    "micromamba nix guix devbox mise asdf fnm nvm pyenv rbenv volta"
  ).split(" "),
);

function startAtProgram(words: readonly string[]): readonly string[] | null {
  const [first, ...others] = words;
  if (first === "--") return startAtProgram(others);
  return first === undefined || first.startsWith("-") ? null : words;
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
