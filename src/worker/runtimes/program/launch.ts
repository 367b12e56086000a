/** Prepares a program's start so that it marks its prompts: its command, its environment, and its integration script. */
import { lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { listExecutables } from "../../adapter-format/program/executables.js";
import type { ReadProgram } from "../../adapter-format/program/read-program.js";
import type { ProgramFile } from "../../adapter-format/program/program-file.js";
import type { Environment } from "../../process/child-environment.js";
import { createStartError, findExecutable } from "../../process/executable.js";
import { AtlasBridgeError } from "../../../model/errors.js";
import { writePlainFile } from "../../../observe/files/plain-file.js";

export interface LaunchOptions {
  readonly args: readonly string[];
  /** The executable as the user typed it; null: the one of the program's file. */
  readonly typed: string | null;
  readonly environment: Environment;
  readonly cwd: string;
  readonly folder: string;
  /** A random text without special characters. It appears in file names, which everybody on the machine can read. */
  readonly guid: string;
  /** A random text that is secret: it appears in no name, argument or environment. */
  readonly nonce: string;
  readonly banner?: string;
  readonly reason?: string;
}

export interface ProgramLaunch {
  readonly command: readonly string[];
  readonly environment: Environment;
  /** The secret that its marks must carry; null if its script has none. */
  readonly nonce: string | null;
  /** The file that gives the program the secret; it is needed until the first prompt. Null: there is none. */
  readonly secretFile: string | null;
  /** The line that is typed once the program is quiet (`delivery: pty_inject`), or null. */
  readonly injection: string | null;
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

export function findProgram(
  program: Pick<ProgramFile, "name" | "process">,
  { typed, environment, cwd }: Pick<LaunchOptions, "typed" | "environment" | "cwd">,
): string {
  if (typed !== null) return typed;
  const names = listExecutables(program);
  const search = { path: environment["PATH"], cwd };
  for (const each of names) {
    const expanded = expandVariables(each, environment);
    // A relative path would be looked up in the folder in which the program is started.
    if (expanded === null || (expanded.includes("/") && !isAbsolute(expanded))) continue;
    try {
      return findExecutable(expanded, search);
    } catch (error) {
      if (!(error instanceof AtlasBridgeError)) throw error;
    }
  }
  throw new AtlasBridgeError(
    "ATB_TOOL_NOT_FOUND",
    `the executable of ${program.name} was not found (${names.join(", ")})`,
    {
      hint: "Install it, or check your PATH.",
    },
  );
}

const VARIABLES = /%(\w{1,64})%|\$(\w{1,64})/g;

/** Null if a variable is unset or empty: the remaining path would be a different one. */
function expandVariables(text: string, environment: Environment): string | null {
  const names = [...text.matchAll(VARIABLES)].map(([, first, second]) => first ?? second ?? "");
  if (names.some((name) => !environment[name])) return null;
  return text.replace(
    VARIABLES,
    (_, first?: string, second?: string) => environment[first ?? second ?? ""] ?? "",
  );
}

/** In a command a `$` belongs to the program, and a short name between `%` is a format, such as that of a date. */
const ARGUMENT_PARTS = /%([A-Za-z_(][\w()]{2,63})%|\{(\w{1,32})\}/g;

/** Fills variables and placeholders in one pass, so that a value such as `{nonce}` is not filled again. */
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

/** Leaves braces with other names unchanged, because scripts use them. */
export function fill(template: string, values: Values): string {
  return template.replace(/\{(\w{1,32})\}/g, (whole, name: string) => values[name] ?? whole);
}

/** Outside of quotes the invocation is split into arguments with the command; inside of quotes it is part of one argument. */
function insertInvocation(template: string, invocation = ""): string {
  return template.replaceAll("{init_invocation}", (whole, at: number) => {
    const isQuoted = template.slice(0, at).split('"').length % 2 === 0;
    return isQuoted ? whole : invocation;
  });
}

/** Double quotes keep blanks together; no other character is special. */
function splitTemplate(template: string): string[] {
  const words = template.match(/(?:"[^"]*"|[^\s"])+/g) ?? [];
  return words.map((word) => word.replaceAll('"', ""));
}

function takeArguments(
  known: readonly string[],
  args: readonly string[],
): readonly [readonly string[], readonly string[]] {
  // From the first other argument on, they are for the script that the program runs.
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
  let path = join(folder, `${tempfile?.prefix ?? "init-"}${guid}${tempfile?.extension ?? ""}`);
  if (init.delivery === "rc_file" && rc) {
    const place = join(folder, `rc-${guid}`);
    mkdirSync(place, { mode: 0o700 });
    environment[rc.dir_env_var] = place;
    path = join(place, rc.file_name);
  }
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

function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const HOUR_MS = 3_600_000;

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
