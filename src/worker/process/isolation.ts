/** How a tool is started that cannot reach what is ours: by a small program that closes it for itself, and then becomes the tool. */
import { findExecutable } from "./executable.js";
import type { ClosedPaths } from "./landlock.js";

export interface Isolation extends ClosedPaths {
  /** Our own program for it. */
  readonly launcher: string;
}

/** Node reads such variables itself; they go around the launcher. */
const NODES_OWN = /^NODE_/;
const KEPT = "atlasbridge_kept_for_tool_";

export interface IsolatedStart extends ClosedPaths {
  /** The executable by its path, and how it is called: its first argument. */
  readonly file: string;
}

interface Start {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The launcher's start that ends in exactly this one. Errors: ATB_TOOL_NOT_FOUND, ATB_TOOL_START_FAILED. */
export function isolateStart({ command, env }: Start, cwd: string, isolation: Isolation): Start {
  const [name = "", ...args] = command;
  const file = findExecutable(name, { path: env["PATH"], cwd });
  const { closed, readable, launcher } = isolation;
  const start: IsolatedStart = { file, closed, readable };
  return {
    command: [process.execPath, launcher, JSON.stringify(start), name, ...args],
    env: Object.fromEntries(
      Object.entries(env).map(([key, value]) => [NODES_OWN.test(key) ? KEPT + key : key, value]),
    ),
  };
}

/** The environment as it was meant. */
export function restoreStart(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(env).map(([key, value]) => [key.startsWith(KEPT) ? key.slice(KEPT.length) : key, value]),
  );
}
