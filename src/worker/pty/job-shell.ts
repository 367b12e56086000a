/**
 * A shell between us and the tool that keeps its jobs (ADR 8). The kernel lets a program stop (Ctrl-Z) only if its parent is in
 * the same session and could wake it; we never are. The shell is: it starts the tool in the foreground of its terminal, stops
 * itself when the tool stops, and wakes the tool when it is woken.
 */
import { realpathSync } from "node:fs";
import { basename } from "node:path";

const SHELL = "/bin/sh";
/** The shells of which it was measured that they hand over the terminal, come back on a stop, and resume, again and again. */
const KNOWN_SHELLS = new Set(["dash", "bash", "busybox"]);
/** Sets the environment right after what shells change in it, then becomes the tool. Where it lies on every Linux. */
const ENV = "/usr/bin/env";

/** Variables that some shell sets or heeds: they go around it. Values of the first four it also invents. */
const INVENTED = ["PWD", "OLDPWD", "SHLVL", "_"];
const HEEDED =
  /^(?:_|PWD|OLDPWD|SHLVL|IFS|PPID|E?UID|GROUPS|OPT(?:IND|ARG|ERR)|LINENO|S?RANDOM|SECONDS|EPOCH.*|LINES|COLUMNS|HIST.*|MAIL.*|PS[0-4]|ENV|POSIXLY_CORRECT|SHELLOPTS|BASH.*|DIRSTACK|FUNCNAME|PIPESTATUS|COMP_.*)$/;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** An exported function of bash. No name that a plain shell would pass on. */
const FUNCTION = /^BASH_FUNC_/;
/** Carries one variable past the shell. */
const CARRIER = "atlasbridge_kept_";

export interface ShellStart {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface ToolStart {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Settings of the user's terminal as `stty -g` prints them; null where there is none. */
  readonly modes: string | null;
}

let usable: boolean | undefined;

/** Whether this system has what it takes. */
export function hasJobShell(): boolean {
  return (usable ??= process.platform === "linux" && known(SHELL) && realPath(ENV) !== null);
}

function known(shell: string): boolean {
  return KNOWN_SHELLS.has(basename(realPath(shell) ?? ""));
}

function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

/** The shell's start that runs the tool with exactly this environment; null when a shell would not leave it or the command whole. */
export function underJobShell({ command, env, modes }: ToolStart, file = SHELL): ShellStart | null {
  const entries = Object.entries(env);
  // To `env` the first word without "=" is the command; a name that no shell takes could only be carried in its argument, for all to see.
  if (command[0]?.includes("=") || entries.some(([name]) => !NAME.test(name) && !FUNCTION.test(name)))
    return null;
  const isCarried = (name: string): boolean => HEEDED.test(name) || FUNCTION.test(name);
  const carried = entries.filter(([name]) => isCarried(name));
  const carriers = carried.map((_, index) => `${CARRIER}${index}`);
  const kept = carried.map(([name, value], index): [string, string] => [
    carriers[index] ?? "",
    `${name}=${value}`,
  ]);
  return {
    file,
    // The name after the script is what error messages and `ps` call it.
    args: ["-m", "-c", script(carriers), "atlasbridge-jobs", modes ?? "", ...command],
    env: Object.fromEntries<string>([...entries.filter(([name]) => !isCarried(name)), ...kept]),
  };
}

/**
 * Measured traps: bash leaves a loop in which a job stops (hence the recursion), takes its terminal from stderr when job control
 * begins (hence `-m` and not `set -m`), and all of them speak of jobs on stderr. `%%` is the tool while it has not ended.
 */
function script(carriers: readonly string[]): string {
  const removed = [...INVENTED, ...carriers].map((name) => `-u ${name}`).join(" ");
  const restored = carriers.map((name) => `"$${name}" `).join("");
  return `settle() {
  kill -s 0 %% || exit $1
  kill -s STOP $$
  fg %% >/dev/null
  settle $?
}
exec 9>&2 2>/dev/null
[ -z "$1" ] || stty "$1" || [ $? -lt 128 ] || exit
shift
(exec 2>&9 9>&- && exec ${ENV} ${removed} ${restored}"$@")
settle $?`;
}
