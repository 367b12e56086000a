/** JSON that somebody wrote by hand: a problem says where it stands. The text itself is never quoted, it may show a screen. */
import { fail, type FieldPlace } from "./fields.js";

/** Errors: ATB_SCENARIO_INVALID. */
export function parseJson(source: string, place: FieldPlace): unknown {
  if (source.trim() === "") return fail(place, "is empty");
  try {
    return JSON.parse(source) as unknown;
  } catch {
    return fail(place, `is not JSON${describePlace(source, place)}`);
  }
}

/** A mistake further behind is not looked for: each try reads all that stands before it. */
const SEARCHED_CHARACTERS_MAX = 4 * 1024 * 1024;

function describePlace(source: string, { line }: FieldPlace): string {
  const wrong = findFirstMistake(source);
  if (wrong === null) return "";
  const before = source.slice(0, wrong).split("\n");
  const column = `column ${(before.at(-1)?.length ?? 0) + 1}`;
  return line === undefined ? ` at line ${before.length}, ${column}` : ` at ${column}`;
}

/** The parser tells the place of some mistakes only. What stands before a mistake is the beginning of something. */
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

/** Whether a text is JSON, or ends before anything in it is wrong. */
function isJsonPrefix(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const at = /at position (\d{1,9})/.exec(String(error))?.[1];
    return /end of JSON input/.test(String(error)) || Number(at) === text.length;
  }
}
