/**
 * The environment that tools receive: the user's own, without the variables from which the configuration takes its secrets.
 * Computed before a tool starts, so it avoids loading the schema and usually the YAML reader.
 */
import { readFileSync } from "node:fs";
import { listVariables } from "./secrets.js";

type ToolVariables = Readonly<Record<string, string | undefined>>;

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
export async function buildToolEnvironment(file: string, env: ToolVariables): Promise<ToolVariables> {
  const withheld = new Set(await listWithheldVariables(file));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !withheld.has(name)));
}

/** Names of the variables that no tool receives. Works even for an invalid file, which may still contain the right names. */
export async function listWithheldVariables(file: string): Promise<readonly string[]> {
  const text = readTextIfAny(file);
  const kept = text.includes(KEY) ? (await import("./kept-variables.js")).readKeptVariables(text) : [];
  return listReferences(text).filter((name) => !NEVER_WITHHELD.has(name) && !kept.includes(name));
}

function readTextIfAny(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** Searches the raw text except whole-line comments. A `$` may be written as an escape. */
function listReferences(text: string): readonly string[] {
  const lines = text.split("\n").filter((line) => !line.trimStart().startsWith("#"));
  return listVariables([lines.join("\n").replaceAll(/\\(?:x24|u0024|U00000024)/g, "$")]);
}
