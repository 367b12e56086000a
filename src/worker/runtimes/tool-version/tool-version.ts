/** Finds the installed version of a tool by running it, for adapters that support certain versions only. */
import { execFile, type ExecFileException } from "node:child_process";
import { basename } from "node:path";
import { AtlasBridgeError } from "../../../model/errors.js";
import { asId, type SessionId } from "../../../model/ids.js";
import { findVersion } from "../../../model/data/version-range.js";
import type { CompiledAdapter } from "../../adapter-format/compiled/compiled.js";
import { createChildEnvironment, type Environment } from "../../process/child-environment.js";
import { findExecutable } from "../../process/executable.js";

/** The slowest of the CLIs takes a second for its version on a busy machine. */
const ANSWER_LIMIT_MS = 10_000;
/** A version is one line; a tool that prints its whole manual is not read to the end. */
const OUTPUT_BYTES_MAX = 64 * 1024;
/** Node's error code for output that exceeds the limit. */
const TOO_MUCH = "ERR_CHILD_PROCESS_STDIO_MAXBUFFER";
/** The tool runs as under supervision: without our secrets, and unable to answer any prompt. */
const MARK = asId<SessionId>("version-check");

export type ToolVersion =
  | { readonly kind: "absent" }
  | { readonly kind: "installed"; readonly file: string; readonly version: string }
  /** The tool did not report its version. */
  | { readonly kind: "unknown"; readonly file: string };

/** Runs `<tool> --version`, without a shell and outside of any project. Never rejects. */
export async function detectToolVersion(
  { name, process: { executables } }: Pick<CompiledAdapter, "name" | "process">,
  environment: Environment,
): Promise<ToolVersion> {
  const env = createVersionEnvironment(environment);
  const file = findFirstExecutable(executables.length > 0 ? executables : [name], env["PATH"]);
  if (file === null) return { kind: "absent" };
  const { version } = await readVersion(file, env);
  return version === null ? { kind: "unknown", file } : { kind: "installed", file, version };
}

export interface VersionLimits {
  readonly limitMs?: number;
  /** Cancels the query at once. */
  readonly signal?: AbortSignal | undefined;
}

export interface VersionAnswer {
  /** Null: the tool names none, or did not answer. */
  readonly version: string | null;
  /** Another run would give the same result. False where the tool was too slow, was ended, failed or could not run. */
  readonly isFinal: boolean;
}

/** Reads the version that this executable reports. `env` is its whole environment. Never rejects. */
export async function readVersion(
  file: string,
  env: Readonly<Record<string, string>>,
  limits: VersionLimits = {},
): Promise<VersionAnswer> {
  const { stdout, stderr, ended } = await runTool(file, env, limits);
  // If the output is incomplete, what would have followed is unknown.
  if (ended === "early") return { version: null, isFinal: false };
  const name = basename(file);
  const version = findVersion(stdout, name) ?? findVersion(stderr, name);
  return { version, isFinal: version !== null || ended === "well" };
}

/** Creates the environment in which a tool is asked. */
export function createVersionEnvironment(environment: Environment): Record<string, string> {
  return createChildEnvironment(environment, MARK);
}

/** Null: none of them is installed. */
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

interface Output {
  readonly stdout: string;
  readonly stderr: string;
  readonly ended: "well" | "badly" | "early";
}

function runTool(
  file: string,
  env: Readonly<Record<string, string>>,
  { limitMs = ANSWER_LIMIT_MS, signal }: VersionLimits,
): Promise<Output> {
  const limits = { timeout: limitMs, signal, killSignal: "SIGKILL", maxBuffer: OUTPUT_BYTES_MAX } as const;
  return new Promise((resolve) => {
    const child = execFile(file, ["--version"], { ...limits, env, cwd: "/" }, (error, stdout, stderr) =>
      resolve({ stdout, stderr, ended: classifyEnd(error) }),
    );
    child.stdin?.end();
  });
}

function classifyEnd(error: ExecFileException | null): Output["ended"] {
  if (error === null || error.code === TOO_MUCH) return "well";
  return typeof error.code === "number" ? "badly" : "early";
}
