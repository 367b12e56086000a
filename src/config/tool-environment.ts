/**
 * The environment of tools: the user's own without the variables that hold the configuration's secrets. Runs before a tool starts, so
 * without the schema.
 */
import { readFileSync } from "node:fs";
import { listVariables } from "./secrets.js";

type ToolVariables = Readonly<Record<string, string | undefined>>;

/** Programs need these to run. */
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

/** A file without this word need not be parsed. */
const KEY = "keep_in_tools";

/** Never rejects. */
export async function buildToolEnvironment(file: string, env: ToolVariables): Promise<ToolVariables> {
  const withheld = new Set(await listWithheldVariables(file));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !withheld.has(name)));
}

/** Reads the variables of an invalid file, too. */
export async function listWithheldVariables(file: string): Promise<readonly string[]> {
  const text = readTextIfAny(file);
  const kept = text.includes(KEY) ? (await import("./kept-variables.js")).readKeptVariables(text) : [];
  return listReferences(text).filter((name) => !NEVER_WITHHELD.has(name) && !kept.includes(name));
}

/** The variables that the file names. */
export function readReferences(file: string): readonly string[] {
  return listReferences(readTextIfAny(file));
}

function readTextIfAny(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** Searches the text without whole-line comments. A `$` may be escaped. */
function listReferences(text: string): readonly string[] {
  const lines = text.split("\n").filter((line) => !line.trimStart().startsWith("#"));
  return listVariables([lines.join("\n").replaceAll(/\\(?:x24|u0024|U00000024)/g, "$")]);
}
