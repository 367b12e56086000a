/**
 * The environment that tools receive: the user's own, without the variables from which the configuration takes its secrets.
 * Computed before a tool starts, so it avoids loading the schema and usually the YAML reader.
 */
import { readFileSync } from "node:fs";
import { namedVariables } from "./secrets.js";

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that programs need to run are never withheld, whatever the file refers to. */
const NEVER_WITHHELD: ReadonlySet<string> = new Set([
  "HOME",
  "LANG",
  "LOGNAME",
  "PATH",
  "PWD",
  "SHELL",
  "TERM",
  "TMPDIR",
  "USER",
  "XDG_CONFIG_HOME",
  "XDG_DATA_HOME",
  "XDG_RUNTIME_DIR",
]);

/** The key for exceptions; a file without this word need not be parsed. */
const KEY = "keep_in_tools";

/** `env` without the withheld variables. Never rejects: an unreadable file refers to nothing. */
export async function toolEnvironment(file: string, env: Environment): Promise<Environment> {
  const withheld = new Set(await withheldVariables(file));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !withheld.has(name)));
}

/** Names of the variables that no tool receives. Works even for an invalid file, which may still contain the right names. */
export async function withheldVariables(file: string): Promise<readonly string[]> {
  const text = textOf(file);
  const kept = text.includes(KEY) ? (await import("./kept-variables.js")).keptVariables(text) : [];
  return referredTo(text).filter((name) => !NEVER_WITHHELD.has(name) && !kept.includes(name));
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** Searches the raw text except whole-line comments. A `$` may be written as an escape. */
function referredTo(text: string): readonly string[] {
  const lines = text.split("\n").filter((line) => !line.trimStart().startsWith("#"));
  return namedVariables([lines.join("\n").replaceAll(/\\(?:x24|u0024|U00000024)/g, "$")]);
}
