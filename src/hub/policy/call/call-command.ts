/**
 * The shell command of a call, as the tool reported it, and whether the call can do anything else. What a call says beside its
 * command may change what runs, so a rule answers only where every field is known to be harmless. Pure.
 */
import { isObject, toText, type Json } from "../../../model/data/json.js";
import { readPlainLine } from "../command/plain-line.js";

export interface CallCommand {
  readonly text: string;
  /** With everything else of the call that may run: for what a rule forbids or asks about. */
  readonly all: string;
  /** The directory that the call itself names, as written; null: none. */
  readonly directory: string | null;
  /** Why it is not certain that just this runs, in that directory; null: it is. */
  readonly problem: string | null;
}

/** Calls that run a shell command by their names, as tools report them. Any other may mean something else by a command. */
const SHELL_CALL =
  /^(?:(?:ba|z|da)?sh|shell|local_shell|shell_command|execute|exec|exec_command|(?:run|execute)_(?:shell_)?command|run_terminal_cmd|run_in_terminal|terminal)$/i;

/** The fields in which calls of shells hold their command; the first one present is the one that runs. */
const COMMAND_FIELDS = ["command", "cmd", "script"];
/** What else may run: further commands, and arguments of the first. */
const FURTHER_FIELDS = ["commands", "args", "argv", "arguments", "stdin", "input", "code"];
const DIRECTORY_FIELDS: ReadonlySet<string> = new Set(
  "cwd workdir work_dir working_directory workingDirectory directory dir dir_path".split(" "),
);
/** Words for people, limits of time, and whether the tool waits for the end. */
const HARMLESS_FIELDS: ReadonlySet<string> = new Set(
  (
    "description explanation justification reason timeout timeout_ms timeoutMs is_background run_in_background background " +
    "isBackground async"
  ).split(" "),
);
const HARMLESS_VALUES: ReadonlyMap<string, unknown> = new Map([["dangerouslyDisableSandbox", false]]);

export function readCallCommand(tool: string, input: unknown): CallCommand | null {
  if (!isObject(input)) return null;
  const field = COMMAND_FIELDS.find((name) => readText(input, name) !== null);
  const text = field === undefined ? null : readText(input, field);
  // Some tools name a change to files in that field.
  if (field === undefined || text === null || text.startsWith("*** Begin Patch")) return null;
  const directories = Object.keys(input).filter(
    (name) => DIRECTORY_FIELDS.has(name) && !isEmpty(input[name]),
  );
  const directory = toText(input[directories[0] ?? ""]);
  return {
    text,
    all: listAll(input, field, text).join("\n"),
    directory,
    problem: findProblem(tool, input, field, text, directories),
  };
}

function findProblem(
  tool: string,
  input: Json,
  field: string,
  text: string,
  directories: readonly string[],
): string | null {
  if (!SHELL_CALL.test(tool)) return `${tool} is not known to run a shell command`;
  const other = Object.keys(input).find(
    (name) => name !== field && !directories.includes(name) && !isHarmless(name, input[name], text),
  );
  if (other !== undefined) return `the call also says ${other}, which may change what runs`;
  const [directory, ...others] = directories.map((name) => toText(input[name]));
  if (directory === undefined) return null;
  // A tool may expand these signs, or not.
  const isPlain =
    directory !== null && !/[~$*?`]/.test(directory) && others.every((each) => each === directory);
  return isPlain ? null : "the directory of the call is not certain";
}

function isHarmless(name: string, value: unknown, text: string): boolean {
  if (HARMLESS_FIELDS.has(name) || isEmpty(value)) return true;
  if (HARMLESS_VALUES.has(name)) return HARMLESS_VALUES.get(name) === value;
  // Some tools repeat the command, taken apart.
  return name === "commands" && Array.isArray(value) && isRepetition(value, text);
}

function isRepetition(parts: readonly unknown[], text: string): boolean {
  const plain = readPlainLine(text);
  const known = plain.ok ? plain.commands.map(({ words }) => words.join(" ")) : [];
  return parts.every((part) => typeof part === "string" && (part === text || known.includes(part)));
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** Each text that may run on its own, and the command with its arguments. */
function listAll(input: Json, field: string, text: string): readonly string[] {
  const others = [...COMMAND_FIELDS, ...FURTHER_FIELDS].filter((name) => name !== field);
  const found = others.flatMap((name) => {
    const value = input[name];
    const words = Array.isArray(value) ? value.filter((word) => typeof word === "string") : [];
    const single = typeof value === "string" ? [value] : [];
    const joined = words.length === 0 ? [] : [`${text} ${words.map(quote).join(" ")}`];
    return [...single, ...words, ...joined];
  });
  return [text, ...found];
}

function readText(input: Json, name: string): string | null {
  const value = Object.hasOwn(input, name) ? input[name] : undefined;
  if (typeof value === "string") return unwrapOwnShell(value);
  const isList = Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === "string");
  return isList ? unwrapWords(value) : null;
}

/** Some tools run each command by a shell that they name with its full path; only this one form is looked into. */
const OWN_SHELL = /^\/(?:usr\/)?bin\/(?:ba|z|da)?sh$/;

function unwrapWords(words: readonly string[]): string {
  const [shell = "", option = "", script] = words;
  if (words.length === 3 && OWN_SHELL.test(shell) && /^-l?c$/.test(option)) return script ?? "";
  return words.map(quote).join(" ");
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

function unwrapOwnShell(line: string): string {
  if (!line.startsWith("/")) return line;
  const plain = readPlainLine(line);
  const [only, ...others] = plain.ok ? plain.commands : [];
  if (only === undefined || others.length > 0) return line;
  const isWrapped =
    only.words.length === 3 && OWN_SHELL.test(only.words[0] ?? "") && /^-l?c$/.test(only.words[1] ?? "");
  return isWrapped ? (only.words[2] ?? line) : line;
}
