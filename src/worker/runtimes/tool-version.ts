/**
 * Finds the version of an installed tool by running it, and remembers it, so that a session's start need not wait for `--version` each
 * time. A changed file is asked again.
 */
import { execFile } from "node:child_process";
import { readFileSync, realpathSync, renameSync, statSync, writeFileSync } from "node:fs";
import { basename, join, sep } from "node:path";
import type { Paths } from "../../config/paths.js";
import { ensurePrivateDirectory, PRIVATE_FILE_MODE } from "../../config/private-files.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { asId, type SessionId } from "../../model/ids.js";
import { findVersion, isInRange } from "../../model/data/version-range.js";
import { createChildEnvironment, type Environment } from "../process/child-environment.js";
import { findExecutable, readFirstBytes } from "../process/executable.js";

/** The slowest of the CLIs takes a second for its version on a busy machine. */
const ANSWER_LIMIT_MS = 10_000;
/** A version is one line; a tool that prints its whole manual is not read to the end. */
const OUTPUT_BYTES_MAX = 64 * 1024;
/** Node's error code for output that exceeds the limit. */
const TOO_MUCH = "ERR_CHILD_PROCESS_STDIO_MAXBUFFER";
/** The tool runs as under supervision: without our secrets, and unable to answer any prompt. */
const MARK = asId<SessionId>("version-check");
/** A person has few tools; more means that something generates files. */
const KNOWN_MAX = 100;

export interface VersionLimits {
  readonly limitMs?: number;
  /** Cancels the query at once. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs `<tool> --version`, without a shell and outside of any project. Resolves to null where the tool names no version, or did not end
 * in time. Never rejects.
 */
export function readVersion(
  file: string,
  environment: Environment,
  { limitMs = ANSWER_LIMIT_MS, signal }: VersionLimits = {},
): Promise<string | null> {
  const options = {
    timeout: limitMs,
    signal,
    killSignal: "SIGKILL",
    maxBuffer: OUTPUT_BYTES_MAX,
    env: createChildEnvironment(environment, MARK),
    cwd: "/",
  } as const;
  const name = basename(file);
  return new Promise((resolve) => {
    const child = execFile(file, ["--version"], options, (error, stdout, stderr) => {
      const isComplete = error === null || error.code === TOO_MUCH || typeof error.code === "number";
      resolve(isComplete ? (findVersion(stdout, name) ?? findVersion(stderr, name)) : null);
    });
    child.stdin?.end();
  });
}

export function findFirstExecutable(names: readonly string[], path: string | undefined): string | null {
  for (const name of names) {
    try {
      return findExecutable(name, { path, cwd: "/" });
    } catch (error) {
      if (!(error instanceof AtlasBridgeError)) throw error;
    }
  }
  return null;
}

/** Says when a tool is older than `exec` needs. Null: it is new enough, or there is no limit. */
export function describeTooOld(file: string, version: string, min: string | null): string | null {
  if (min === null || isInRange(version, `>=${min}`)) return null;
  return `${file} is ${version}, too old to run headless (requires ${min} or newer)`;
}

/** A version with a stamp of the file, which changes with every update. */
interface KnownVersion {
  readonly mark: string;
  readonly version: string;
}

export interface ToolPlace {
  readonly environment: Environment;
  readonly cwd: string;
  readonly paths: Paths;
}

/** Finds the executable of this name, and its version. `rememberedOnly`: the executable is not started. */
export async function readInstalledVersion(
  tool: string,
  { environment, cwd, paths }: ToolPlace,
  { rememberedOnly = false, ...limits }: VersionLimits & { readonly rememberedOnly?: boolean },
): Promise<{ readonly file: string; readonly version: string } | null> {
  try {
    const file = findExecutable(tool, { path: environment["PATH"], cwd });
    const version = rememberedOnly
      ? findRememberedVersion(file, paths)
      : await readKnownVersion(file, environment, paths, limits);
    return version === null ? null : { file, version };
  } catch {
    return null; // It was not found, or was removed since.
  }
}

/** The remembered version, or what the tool answers now; null as with `readVersion`. Never rejects. */
export async function readKnownVersion(
  file: string,
  environment: Environment,
  paths: Paths,
  limits: VersionLimits = {},
): Promise<string | null> {
  try {
    const known = findRememberedVersion(file, paths);
    if (known !== null) return known;
    const real = realpathSync(file);
    const mark = readFileStamp(real);
    const version = await readVersion(file, environment, limits);
    if (version !== null && isToolItself(real, basename(file))) remember(real, { mark, version }, paths);
    return version;
  } catch {
    return null; // The file is gone, or the version could not be kept: then it is asked again the next time.
  }
}

/** Null where the tool would have to be started for it. */
function findRememberedVersion(file: string, paths: Paths): string | null {
  try {
    const real = realpathSync(file);
    const known = readKnownVersions(paths)[real];
    return isToolItself(real, basename(file)) && known?.mark === readFileStamp(real) ? known.version : null;
  } catch {
    return null;
  }
}

/** An installer may set the modification time of its files, but not the time of the change of their names and attributes. */
function readFileStamp(file: string): string {
  const { mtimeMs, ctimeMs, size } = statSync(file);
  return `${mtimeMs} ${ctimeMs} ${size}`;
}

const SHELL_SCRIPT = /^#![^\n]{0,200}[/ ](?:ba|da|z|k|fi)?sh\b/;

/**
 * False where the tool can change while this file stays: a shell script starts another one, and so does a program that has many names
 * (of a version manager, say).
 */
function isToolItself(real: string, name: string): boolean {
  return real.split(sep).some((part) => part.includes(name)) && !SHELL_SCRIPT.test(readFirstBytes(real));
}

function getFilePath({ dataDir }: Paths): string {
  return join(dataDir, "tool-versions.json");
}

function readKnownVersions(paths: Paths): Readonly<Record<string, KnownVersion | undefined>> {
  try {
    return JSON.parse(readFileSync(getFilePath(paths), "utf8")) as Record<string, KnownVersion | undefined>;
  } catch {
    return {};
  }
}

function remember(file: string, known: KnownVersion, paths: Paths): void {
  ensurePrivateDirectory(paths.dataDir);
  const draft = `${getFilePath(paths)}.${process.pid}`;
  const latest = Object.entries({ ...readKnownVersions(paths), [file]: known }).slice(-KNOWN_MAX);
  writeFileSync(draft, JSON.stringify(Object.fromEntries(latest)), { mode: PRIVATE_FILE_MODE });
  renameSync(draft, getFilePath(paths));
}
