/**
 * The environment that tools get: the user's own, without the variables that the configuration takes its secrets from. Read before a
 * tool starts, so neither the schema nor, as a rule, the YAML reader is loaded for it.
 */
import { readFileSync } from "node:fs";
import { namedVariables } from "./secrets.js";

type Environment = Readonly<Record<string, string | undefined>>;

/** What programs need in order to run is no secret of ours, whatever the file refers to. */
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

/** The key that names exceptions; without the word in it the file need not be parsed. */
const KEY = "keep_in_tools";

/** `env` without what is withheld. Never rejects: a file that cannot be read refers to nothing. */
export async function toolEnvironment(file: string, env: Environment): Promise<Environment> {
  const withheld = new Set(await withheldVariables(file));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !withheld.has(name)));
}

/** Names of the variables that no tool gets. Also of a file with mistakes: it may hold the right names. */
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

/** By the text as it stands, but for lines that are comments as a whole. A `$` may be written as an escape. */
function referredTo(text: string): readonly string[] {
  const lines = text.split("\n").filter((line) => !line.trimStart().startsWith("#"));
  return namedVariables([lines.join("\n").replaceAll(/\\(?:x24|u0024|U00000024)/g, "$")]);
}
