/**
 * Runs the tool under a shell that does job control for it (ADR 8). The kernel lets a program stop (Ctrl-Z) only if its parent is
 * in the same session and could wake it, and we never are in that session. The shell is: it starts the tool in the foreground of
 * its terminal, stops itself when the tool stops, and wakes the tool when it is woken.
 */
import { realpathSync } from "node:fs";
import { basename } from "node:path";

const SHELL = "/bin/sh";
/** Shells that were measured to hand over the terminal, come back on a stop, and resume, again and again. */
const KNOWN_SHELLS = new Set(["dash", "bash", "busybox"]);
/** Sets the environment after the shell has changed it, then becomes the tool. It is at this path on every Linux. */
const ENV = "/usr/bin/env";

/** Variables that some shell sets or obeys are passed around it. The first four are also invented by shells. */
const INVENTED = ["PWD", "OLDPWD", "SHLVL", "_"];
const HEEDED =
  /^(?:_|PWD|OLDPWD|SHLVL|IFS|PPID|E?UID|GROUPS|OPT(?:IND|ARG|ERR)|LINENO|S?RANDOM|SECONDS|EPOCH.*|LINES|COLUMNS|HIST.*|MAIL.*|PS[0-4]|ENV|POSIXLY_CORRECT|SHELLOPTS|BASH.*|DIRSTACK|FUNCNAME|PIPESTATUS|COMP_.*)$/;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** An exported function of bash. A plain shell does not pass such a name on. */
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

export function hasJobShell(): boolean {
  return (usable ??= process.platform === "linux" && isKnownShell(SHELL) && findRealPath(ENV) !== null);
}

function isKnownShell(shell: string): boolean {
  return KNOWN_SHELLS.has(basename(findRealPath(shell) ?? ""));
}

function findRealPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

/**
 * Builds the start of a shell that runs the tool with exactly this environment; null when a shell would change the environment or
 * the command.
 */
export function wrapInJobShell({ command, env, modes }: ToolStart, file = SHELL): ShellStart | null {
  const entries = Object.entries(env);
  // `env` takes the first word without "=" as the command. A name that no shell accepts could only be passed in its argument,
  // visible to everybody.
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
    // The name after the script is the one that error messages and `ps` show.
    args: ["-m", "-c", buildScript(carriers), "atlasbridge-jobs", modes ?? "", ...command],
    env: Object.fromEntries<string>([...entries.filter(([name]) => !isCarried(name)), ...kept]),
  };
}

/**
 * Measured traps: bash leaves a loop in which a job stops (hence the recursion), and takes its terminal from stderr when job
 * control begins (hence `-m` and not `set -m`); all shells print messages about jobs on stderr. `%%` is the tool while it has not
 * ended.
 */
function buildScript(carriers: readonly string[]): string {
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
