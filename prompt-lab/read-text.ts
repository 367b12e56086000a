/** Files of the lab, read whole: text in UTF-8, of a size that a recording can have. */
import { isUtf8 } from "node:buffer";
import { readFileSync, statSync } from "node:fs";
import { fail, type FieldPlace } from "./fields.js";

/** An hour of a busy terminal; more is not a recording of a prompt. It also bounds what a wrong path can cost. */
const FILE_BYTES_MAX = 64 * 1024 * 1024;

/** `place`: who names the file. Errors: ATB_SCENARIO_INVALID. */
export function readText(file: string, place: FieldPlace = { file, path: "" }): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) return fail(place, `there is no file ${file}`);
  const named = place.file === file ? "" : `${file} `;
  if (!stats.isFile()) return fail(place, `${named}is a folder or a device, not a file`);
  if (stats.size > FILE_BYTES_MAX)
    return fail(place, `${named}has ${stats.size} bytes; more than ${FILE_BYTES_MAX} are not read`);
  const bytes = readFileSync(file);
  if (!isUtf8(bytes)) return fail({ file, path: "" }, `is not text in UTF-8${describeFirstBroken(bytes)}`);
  return bytes.toString();
}

/** The first line that is none; text ends no character with a line feed in it. */
function describeFirstBroken(bytes: Buffer): string {
  let line = 1;
  for (let start = 0; start < bytes.length; line++) {
    const end = bytes.indexOf(0x0a, start);
    const next = end < 0 ? bytes.length : end + 1;
    if (!isUtf8(bytes.subarray(start, next))) return `: line ${line} holds other bytes`;
    start = next;
  }
  return "";
}
