/** Reads the lab's files. Errors do not quote the text, because it may be private. */
import { isUtf8 } from "node:buffer";
import { readFileSync, statSync } from "node:fs";
import type { GenericSchema, InferOutput } from "valibot";
import { checkValue } from "../../src/config/yaml-file.js";
import { AtlasBridgeError } from "../../src/model/errors.js";

const HINT = "The format is described in docs/how-to/record-a-scenario.md.";

/** `place`: the file, and a line if it is known. */
export function fail(place: string, problem: string): never {
  throw new AtlasBridgeError("ATB_SCENARIO_INVALID", `${place}: ${problem}`, { hint: HINT });
}

export function checkJson<S extends GenericSchema>(value: unknown, schema: S, place: string): InferOutput<S> {
  return checkValue(value, schema, { code: "ATB_SCENARIO_INVALID", hint: HINT, locate: () => place });
}

/** Errors: ATB_SCENARIO_INVALID. */
export function parseJson(source: string, place: string): unknown {
  if (source.trim() === "") return fail(place, "is empty");
  try {
    return JSON.parse(source) as unknown;
  } catch {
    return fail(place, `is not JSON${describePlace(source)}`);
  }
}

/** Each attempt parses everything before it, so the search is limited. */
const SEARCHED_CHARACTERS_MAX = 4 * 1024 * 1024;

function describePlace(source: string): string {
  const wrong = findFirstMistake(source);
  if (wrong === null) return "";
  const before = source.slice(0, wrong).split("\n");
  const column = `column ${(before.at(-1)?.length ?? 0) + 1}`;
  return source.includes("\n") ? ` at line ${before.length}, ${column}` : ` at ${column}`;
}

/** Node reports only some positions, so the longest valid beginning is searched for. */
function findFirstMistake(source: string): number | null {
  let good = 0;
  let bad = 1;
  while (bad < source.length && isJsonPrefix(source.slice(0, bad))) [good, bad] = [bad, 2 * bad];
  if (bad > SEARCHED_CHARACTERS_MAX) return null;
  while (good < bad - 1) {
    const middle = Math.floor((good + bad) / 2);
    if (isJsonPrefix(source.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return isJsonPrefix(source.slice(0, bad)) ? Math.min(bad, source.length) : good;
}

/** True for JSON, and for a text that ends too early. */
function isJsonPrefix(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const at = /at position (\d{1,9})/.exec(String(error))?.[1];
    return /end of JSON input/.test(String(error)) || Number(at) === text.length;
  }
}

/** Larger than an hour of a busy terminal. */
const FILE_BYTES_MAX = 64 * 1024 * 1024;

/** `namedIn`: the file that refers to this one. Errors: ATB_SCENARIO_INVALID. */
export function readText(file: string, namedIn = file): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) return fail(namedIn, `there is no file ${file}`);
  const named = namedIn === file ? "" : `${file} `;
  if (!stats.isFile()) return fail(namedIn, `${named}is a folder or a device, not a file`);
  if (stats.size > FILE_BYTES_MAX)
    return fail(namedIn, `${named}has ${stats.size} bytes; more than ${FILE_BYTES_MAX} are not read`);
  const bytes = readFileSync(file);
  if (isUtf8(bytes)) return bytes.toString();
  const lines = bytes.toString("latin1").split("\n");
  const broken = lines.findIndex((line) => !isUtf8(Buffer.from(line, "latin1")));
  return fail(file, `is not text in UTF-8: line ${broken + 1} holds other bytes`);
}
