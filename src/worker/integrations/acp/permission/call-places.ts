/** The files that a call names, for `path:` rules. */
import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { isObject, toText, type Json } from "../../../../model/data/json.js";
import { listPathArguments } from "../../../../model/data/path-arguments.js";
import type { ToolCall } from "../../../runtimes/protocol/tool-call.js";

/** These tools touch only the files that they name. A command, or an unknown tool, may touch any file. */
const KINDS_OF_FILES: readonly (string | null)[] = ["read", "edit", "delete", "move"];

/** Each path is resolved on the disk. */
const PATHS_MAX = 100;

/** An agent may expand `~/x`, `$HOME/x` and `file:///x` differently. */
const UNSURE = /^(?:~|[A-Za-z][A-Za-z0-9+.-]{0,20}:)|\$/;

/** A rule has to fit all paths of locations, changes and input. Null: the call may touch files that it does not name. */
export function listPaths({ kind, locations, content, input }: ToolCall): readonly string[] | null {
  if (!KINDS_OF_FILES.includes(kind)) return null;
  const reported = [...locations.map(({ path }) => path), ...content.flatMap(readPaths)];
  const paths = [...reported, ...listPathArguments(input)];
  const known = paths.filter((path) => path !== null && path !== "" && !UNSURE.test(path));
  if (paths.length > PATHS_MAX) return null;
  const fewest = kind === "move" ? 2 : 1;
  return known.length === paths.length && new Set(known).size >= fewest ? (known as string[]) : null;
}

/** Version 1 names one file, version 2 lists changes. Anything but text and diffs is unknown. */
function readPaths(item: Json): readonly (string | null)[] {
  const type = toText(item["type"]);
  if (type === "content") return [];
  if (type !== "diff") return [null];
  const changes = item["changes"] === undefined ? [] : item["changes"];
  if (!Array.isArray(changes)) return [null];
  const changed = changes.flatMap((change: unknown) =>
    isObject(change) ? [toText(change["path"]), ...readOptional(change["oldPath"])] : [null],
  );
  const named = [...readOptional(item["path"]), ...changed];
  return named.length > 0 ? named : [null];
}

function readOptional(path: unknown): readonly (string | null)[] {
  return path === undefined || path === null ? [] : [toText(path)];
}

/** Each path as named and as resolved; null where one cannot be resolved. */
export async function resolvePlaces(call: ToolCall, cwd: string): Promise<readonly string[] | null> {
  const paths = listPaths(call);
  if (paths === null) return null;
  // Behind a link, `..` is another folder for the system than in the text of the path.
  const real = await Promise.all(
    paths.map((path) => resolveRealPath(isAbsolute(path) ? path : `${cwd}/${path}`)),
  );
  if (real.includes(null)) return null;
  return [...new Set([...paths.map((path) => resolve(cwd, path)), ...(real as string[])])];
}

/** A file that does not exist yet is placed in its resolved folder. */
async function resolveRealPath(path: string): Promise<string | null> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isMissing(error) || dirname(path) === path || !(await isFree(path))) return null;
    const folder = await resolveRealPath(dirname(path));
    return folder === null ? null : join(folder, basename(path));
  }
}

/** A broken link is not free: writing to it would write elsewhere. */
async function isFree(path: string): Promise<boolean> {
  return lstat(path).then(() => false, isMissing);
}

function isMissing(error: unknown): boolean {
  return isObject(error) && error["code"] === "ENOENT";
}
