/** How a program is started so that it marks its prompts: its command, its environment, and the script that it reads. */
import { lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { ReadProgram } from "../../adapter-format/program/read-program.js";
import type { ProgramFile } from "../../adapter-format/program/program-file.js";
import type { Environment } from "../../process/child-environment.js";
import { createStartError, findExecutable } from "../../process/executable.js";
import { AtlasBridgeError } from "../../../model/errors.js";
import { writePlainFile } from "../../../observe/files/plain-file.js";

export interface LaunchOptions {
  /** What the user typed behind the program's name. */
  readonly args: readonly string[];
  /** The executable as the user typed it; null: the file's own. */
  readonly typed: string | null;
  readonly environment: Environment;
  readonly cwd: string;
  /** Folder for the script, private to the user; removed by its owner. */
  readonly folder: string;
  /** A random text without special characters. It stands in names of files, which everybody on the machine can read. */
  readonly guid: string;
  /** Another one, which is secret: it stands in no name, argument or environment. */
  readonly nonce: string;
  /** Said to the person at the terminal, where the file has a place for it. */
  readonly banner?: string;
  readonly reason?: string;
}

export interface ProgramLaunch {
  readonly command: readonly string[];
  /** The whole environment, without our own marks. */
  readonly environment: Environment;
  /** What its marks must carry; null: its script does not know it. */
  readonly nonce: string | null;
  /** The file that tells it the secret, until its first prompt; null: there is none. */
  readonly secretFile: string | null;
  /** What is typed once it is quiet (`delivery: pty_inject`), or null. */
  readonly injection: string | null;
  /** What is printed before it starts. */
  readonly banner: string;
}

/** Errors: ATB_TOOL_NOT_FOUND, ATB_TOOL_START_FAILED. */
export function prepareLaunch(read: ReadProgram, options: LaunchOptions): ProgramLaunch {
  const { program } = read;
  const { init, process: start } = program;
  const nonce = options.nonce.replace(/[^\w]/g, "");
  const shell = findProgram(program, options);
  const [taken, args] = takeArguments(start.taken_arguments, options.args);
  const values = {
    ...buildPlaceholders(options),
    taken_arguments: taken.join(" "),
    shell_path: shell,
    nonce,
    history_filter: program.input.tempfile?.history_filter ?? "",
  };
  const text = read.script === null ? null : withBanner(program, fill(read.script, values), options);
  const environment: Record<string, string | undefined> = {
    ...(start.inherit_environment ? options.environment : keepLoginVariables(options.environment)),
  };
  const path = text === null ? "" : writeScript(program, text, options, environment);
  const invocation = fill(init.init_invocation_template ?? "", { ...values, tempfile_path: path });
  const prompt = start.prompt_template ?? "";
  const all = {
    ...values,
    tempfile_path: path,
    init_invocation: invocation,
    prompt,
    prompt_template: prompt,
  };
  for (const [name, value] of Object.entries(start.env)) environment[name] = fill(value, all);
  if (init.strategy === "prompt_variable") environment["PROMPT"] = fill(prompt, values);
  const template = insertInvocation(
    start.command_template ?? '"{shell_path}"',
    init.init_invocation_template,
  );
  const isMarked = (read.script ?? prompt).includes("{nonce}");
  return {
    command: buildCommand(splitTemplate(template), args, (word) =>
      fillArgument(word, all, options.environment),
    ),
    environment,
    nonce: isMarked ? nonce : null,
    secretFile: isMarked && path !== "" ? path : null,
    injection: init.delivery === "pty_inject" ? invocation || `. ${path}` : null,
    banner: init.banner_injection?.mode === "write_before_pty" ? buildBanner(program, options) : "",
  };
}

/** The file that is started: what was typed, else the first candidate that exists, else `executable`, else the program's name. */
export function findProgram(
  { name, process: { executable, executable_candidates: candidates } }: Pick<ProgramFile, "name" | "process">,
  { typed, environment, cwd }: Pick<LaunchOptions, "typed" | "environment" | "cwd">,
): string {
  if (typed !== null) return typed;
  const names = new Set([...(candidates ?? []), executable, name].filter((each) => each !== undefined));
  const search = { path: environment["PATH"], cwd };
  for (const each of names) {
    const expanded = expandVariables(each, environment);
    // Such a path would be one of the folder that the program is started in.
    if (expanded === null || (expanded.includes("/") && !isAbsolute(expanded))) continue;
    try {
      return findExecutable(expanded, search);
    } catch (error) {
      if (!(error instanceof AtlasBridgeError)) throw error;
    }
  }
  throw new AtlasBridgeError(
    "ATB_TOOL_NOT_FOUND",
    `the executable of ${name} was not found (${[...names].join(", ")})`,
    {
      hint: "Install it, or check your PATH.",
    },
  );
}

const VARIABLES = /%(\w{1,64})%|\$(\w{1,64})/g;

/** Null where one is not set, or empty: what is left of a path would be another one, perhaps below the folder that the program is started in. */
function expandVariables(text: string, environment: Environment): string | null {
  const names = [...text.matchAll(VARIABLES)].map(([, first, second]) => first ?? second ?? "");
  if (names.some((name) => !environment[name])) return null;
  return text.replace(
    VARIABLES,
    (_, first?: string, second?: string) => environment[first ?? second ?? ""] ?? "",
  );
}

/** In a command a `$` is the program's, and a short name between `%` is a format, as of a date. */
const ARGUMENT_PARTS = /%([A-Za-z_(][\w()]{2,63})%|\{(\w{1,32})\}/g;

/** Fills variables and placeholders in one pass: a value that holds the text of a placeholder, such as `{nonce}`, is not filled again. */
function fillArgument(word: string, values: Values, environment: Environment): string {
  return word.replace(ARGUMENT_PARTS, (whole, variable?: string, name?: string) => {
    if (variable === undefined) return values[name ?? ""] ?? whole;
    const value = environment[variable];
    if (value) return value;
    throw createStartError(
      `"process.command_template" needs a variable that is not set or empty: ${word}`,
      "Set it.",
    );
  });
}

const LOGIN_VARIABLES = ["HOME", "PATH", "USER", "LOGNAME", "SHELL", "LANG", "TERM", "TMPDIR", "TZ"];

function keepLoginVariables(environment: Environment): Environment {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => LOGIN_VARIABLES.includes(name) || name.startsWith("LC_")),
  );
}

type Values = Readonly<Record<string, string>>;

export function buildPlaceholders({ guid }: Pick<LaunchOptions, "guid">): Values {
  return { pid: String(process.pid), guid, temp_dir: tmpdir() };
}

/** Other braces are the script's own. */
export function fill(template: string, values: Values): string {
  return template.replace(/\{(\w{1,32})\}/g, (whole, name: string) => values[name] ?? whole);
}

/** Outside of quotes the invocation is cut into arguments together with the command; inside of them it is a part of one argument. */
function insertInvocation(template: string, invocation = ""): string {
  return template.replaceAll("{init_invocation}", (whole, at: number) => {
    const isQuoted = template.slice(0, at).split('"').length % 2 === 0;
    return isQuoted ? whole : invocation;
  });
}

/** Double quotes keep blanks together; nothing else is special. */
function splitTemplate(template: string): string[] {
  const words = template.match(/(?:"[^"]*"|[^\s"])+/g) ?? [];
  return words.map((word) => word.replaceAll('"', ""));
}

/** Those that the script honours, and the others. */
function takeArguments(
  known: readonly string[],
  args: readonly string[],
): readonly [readonly string[], readonly string[]] {
  // What follows belongs to the program's own program.
  const end = args.findIndex((arg) => arg === "--" || !arg.startsWith("-"));
  const isTaken = (arg: string, at: number): boolean => (end < 0 || at < end) && known.includes(arg);
  return [args.filter(isTaken), args.filter((arg, at) => !isTaken(arg, at))];
}

function buildCommand(
  template: readonly string[],
  args: readonly string[],
  fillIn: (word: string) => string,
): readonly string[] {
  const words = template.includes("{args}") ? template : [...template, "{args}"];
  return words.flatMap((word) => (word === "{args}" ? args : [fillIn(word)]));
}

function writeScript(
  { init }: ProgramFile,
  text: string,
  { folder, guid }: LaunchOptions,
  environment: Record<string, string | undefined>,
): string {
  const { rc_file: rc, tempfile } = init;
  if (init.delivery === "rc_file" && rc) {
    const place = join(folder, `rc-${guid}`);
    mkdirSync(place, { mode: 0o700 });
    environment[rc.dir_env_var] = place;
    return write(join(place, rc.file_name), text);
  }
  return write(join(folder, `${tempfile?.prefix ?? "init-"}${guid}${tempfile?.extension ?? ""}`), text);
}

function write(path: string, text: string): string {
  writePlainFile(path, text);
  return path;
}

function withBanner(program: ProgramFile, text: string, options: LaunchOptions): string {
  const isOwn = program.init.banner_injection?.mode === "prepend_to_tempfile";
  return isOwn ? `${buildBanner(program, options)}\n${text}` : text;
}

function buildBanner(
  { init: { banner_injection: lines } }: ProgramFile,
  { banner, reason }: LaunchOptions,
): string {
  const first = banner === undefined ? "" : fill(lines?.banner_template ?? "", { banner });
  const second = reason === undefined ? "" : fill(lines?.reason_template ?? "", { reason });
  return [first, second].filter((line) => line !== "").join("\n");
}

/** Another user's folder cannot be read. */
function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const HOUR_MS = 3_600_000;

/** Removes block files that an earlier session could not remove. */
export function removeStaleFiles(
  { input: { tempfile } }: Pick<ProgramFile, "input">,
  folder: string,
  now: number,
): void {
  if (!tempfile?.cleanup_on_start) return;
  for (const name of listFiles(folder)) {
    if (!name.startsWith(tempfile.prefix)) continue;
    const path = join(folder, name);
    const age = now - (lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now);
    if (age > tempfile.stale_ttl_hours * HOUR_MS) rmSync(path, { force: true });
  }
}
