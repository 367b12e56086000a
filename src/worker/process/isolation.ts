/**
 * Builds the start of a tool that cannot reach AtlasBridge's own files: a small program closes them for itself, and then becomes
 * the tool.
 */
import { findExecutable } from "./executable.js";
import type { ClosedPaths } from "./landlock.js";

export interface Isolation extends ClosedPaths {
  readonly launcher: string;
}

/** Node reads such variables itself, so they are renamed to pass the launcher. */
const NODE_VARIABLES = /^NODE_/;
const KEPT_PREFIX = "atlasbridge_kept_for_tool_";

export interface IsolatedStart extends ClosedPaths {
  /** Path of the executable; its first argument is the name it is called by. */
  readonly file: string;
}

interface CommandStart {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Builds the launcher's start that ends in exactly this one. Errors: ATB_TOOL_NOT_FOUND, ATB_TOOL_START_FAILED. */
export function isolateStart(
  { command, env }: CommandStart,
  cwd: string,
  isolation: Isolation,
): CommandStart {
  const [name = "", ...args] = command;
  const file = findExecutable(name, { path: env["PATH"], cwd });
  const { closed, readable, launcher } = isolation;
  const start: IsolatedStart = { file, closed, readable };
  return {
    command: [process.execPath, launcher, JSON.stringify(start), name, ...args],
    env: Object.fromEntries(
      Object.entries(env).map(([key, value]) => [NODE_VARIABLES.test(key) ? KEPT_PREFIX + key : key, value]),
    ),
  };
}

export function restoreEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(env).map(([key, value]) => [
      key.startsWith(KEPT_PREFIX) ? key.slice(KEPT_PREFIX.length) : key,
      value,
    ]),
  );
}
