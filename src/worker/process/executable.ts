/** Finds the executable before a terminal is opened, so that a missing tool is an error and not a message on a screen. */
import { accessSync, closeSync, constants, existsSync, openSync, readSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { attempt } from "../../model/data/attempt.js";
import { AtlasBridgeError } from "../../model/errors.js";

/** The path that `execvp` searches when there is no PATH. */
const DEFAULT_PATH = "/bin:/usr/bin";
/** Linux reads no more than this of a script's first line. */
const SHEBANG_BYTES = 256;

/** Our own folder where its path does not lead to it: this name works without a path. */
export const INHERITED_FOLDER = ".";

export interface ExecutableSearch {
  readonly path: string | undefined;
  readonly cwd: string;
}

/**
 * Finds the file that `execvp(name)` would run: a name with a slash unchanged, any other along PATH. Errors: ATB_TOOL_NOT_FOUND,
 * or ATB_TOOL_START_FAILED if it exists but cannot be run.
 */
export function findExecutable(name: string, search: ExecutableSearch): string {
  const files = listCandidates(name, search);
  const found = files.find(isExecutable);
  if (found) {
    checkInterpreter(found, search.cwd);
    return found;
  }
  const present = files.find((file) => existsSync(file));
  if (present)
    throw createStartError(`${present} is not an executable file`, "Check its permissions (chmod +x).");
  throw new AtlasBridgeError("ATB_TOOL_NOT_FOUND", `the executable "${name}" was not found`, {
    hint: name.includes("/") ? "Check the path." : "Install it, or check your PATH.",
  });
}

export function isInstalled(name: string, search: ExecutableSearch): boolean {
  try {
    findExecutable(name, search);
    return true;
  } catch (error) {
    if (error instanceof AtlasBridgeError) return false;
    throw error;
  }
}

function listCandidates(name: string, { path, cwd }: ExecutableSearch): string[] {
  if (name === "") return [];
  if (name.includes("/")) return [resolveFrom(cwd, name)];
  return (path ?? DEFAULT_PATH).split(delimiter).map((folder) => join(resolveFrom(cwd, folder), name));
}

/** Absolute, unless the folder has no name. */
function resolveFrom(cwd: string, path: string): string {
  if (isAbsolute(path)) return path;
  return cwd === INHERITED_FOLDER ? join(cwd, path) : resolve(cwd, path);
}

function isExecutable(file: string): boolean {
  return attempt(() => {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  }, false);
}

/** Throws for a script whose interpreter is missing: it would fail inside the terminal with a message that names the wrong file. */
function checkInterpreter(file: string, cwd: string): void {
  const interpreter = /^#![ \t]{0,64}([^ \t\r\n]+)/.exec(readFirstBytes(file))?.[1];
  if (interpreter === undefined || isExecutable(resolveFrom(cwd, interpreter))) return;
  throw createStartError(`${file} needs the interpreter ${interpreter}, which is not there`, "Install it.");
}

export function readFirstBytes(file: string): string {
  try {
    const fd = openSync(file, "r");
    try {
      const bytes = Buffer.alloc(SHEBANG_BYTES);
      return bytes.toString("latin1", 0, readSync(fd, bytes));
    } finally {
      closeSync(fd);
    }
  } catch {
    return ""; // A program may be run without being readable.
  }
}

export function checkFolder(cwd: string): void {
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) return;
  throw createStartError(`the working directory ${cwd} is not there`, "Start from an existing directory.");
}

export function createStartError(problem: string, hint: string, cause?: unknown): AtlasBridgeError {
  return new AtlasBridgeError("ATB_TOOL_START_FAILED", problem, { hint, cause });
}
