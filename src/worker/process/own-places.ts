/** The files of AtlasBridge on the disk, including parts that are links to other places, as dotfile managers make them. */
import { lstatSync, readdirSync, realpathSync, statSync, type Dirent } from "node:fs";
import { join } from "node:path";
import { AtlasBridgeError } from "../../model/errors.js";

/** Far more than AtlasBridge keeps; more are there when a link leads to a folder that is not its own, such as a home directory. */
const ENTRIES_MAX = 20_000;

/**
 * Lists the directories and where every link below them leads. Errors: ATB_ISOLATION_UNAVAILABLE for a link that leads nowhere (the
 * tool could create its target), for a directory that cannot be listed, and for more than ENTRIES_MAX entries.
 */
export function listOwnPlaces(directories: readonly string[]): string[] {
  const found = [...directories];
  const waiting = directories.map((directory) => realpathSync(directory));
  const seen = new Set<string>();
  let entries = 0;
  for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
    if (seen.has(directory)) continue;
    seen.add(directory);
    for (const entry of listDirectory(directory)) {
      entries += 1;
      if (entries > ENTRIES_MAX)
        throw createError(`${directory} has more files than --isolate can look through`, TOO_MANY_HINT);
      const path = join(directory, entry.name);
      if (entry.isDirectory()) waiting.push(path);
      if (!entry.isSymbolicLink()) continue;
      const target = resolveLink(path);
      if (target === null) continue;
      // The link itself is listed, so that no link on the way to its target can be replaced.
      found.push(path);
      if (statSync(target).isDirectory()) waiting.push(target);
    }
  }
  return found;
}

/** A directory that was removed meanwhile has no entries. */
function listDirectory(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw createError(`${directory} cannot be searched for links`, "Make it readable, or remove it.", error);
  }
}

/** Null for a link that was removed meanwhile. */
function resolveLink(path: string): string | null {
  try {
    return realpathSync(path);
  } catch (error) {
    if (!lstatSync(path, { throwIfNoEntry: false })) return null;
    throw createError(
      `the link ${path} leads nowhere or where AtlasBridge may not look, so --isolate cannot close its target`,
      "Remove it, or create its target.",
      error,
    );
  }
}

const TOO_MANY_HINT = "Remove the link that leads there.";

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

function createError(problem: string, hint: string, cause?: unknown): AtlasBridgeError {
  return new AtlasBridgeError("ATB_ISOLATION_UNAVAILABLE", problem, { hint, cause });
}
