import { accessSync, constants, lstatSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import { AtlasBridgeError } from "../model/errors.js";
import { getOwnUid } from "./own-user.js";

const DENIED = new Set(["EACCES", "EPERM", "EROFS"]);
const FULL = new Set(["ENOSPC", "EDQUOT"]);

/** `what` could not be done with `path`. An AtlasBridgeError is returned unchanged. */
export function createFileError(cause: unknown, path: string, what: string): AtlasBridgeError {
  if (cause instanceof AtlasBridgeError) return cause;
  const code = getCode(cause);
  if (DENIED.has(code))
    return findDeniedError(path, what) ?? createDeniedError(`${path} ${what} (${code})`, path, cause);
  const hint = FULL.has(code)
    ? "The disk is full: make room. Running tools continue meanwhile."
    : "Check the path and its type, or set ATLASBRIDGE_HOME to another directory.";
  return new AtlasBridgeError("ATB_HUB_UNREACHABLE", `${path} ${what}${code && ` (${code})`}`, {
    hint,
    cause,
  });
}

/** The error for a file that this user may not read and write, with its owner; null if permissions are not the problem. */
export function findDeniedError(path: string, what = "may not be used"): AtlasBridgeError | null {
  const place = findNearestExisting(path);
  try {
    accessSync(place, constants.R_OK | constants.W_OK);
    return null;
  } catch (cause) {
    if (!DENIED.has(getCode(cause))) return null;
    return createDeniedError(
      `${path} ${what}: ${describeReason(place, place === path ? "it" : place)}`,
      path,
      cause,
    );
  }
}

function createDeniedError(message: string, path: string, cause: unknown): AtlasBridgeError {
  const hint = statIfPresent(path)
    ? "Was a command run with sudo? Fix owner and mode (chown, chmod u+rw), or set ATLASBRIDGE_HOME to another directory."
    : "Set ATLASBRIDGE_HOME to a directory that this user may write to.";
  return new AtlasBridgeError("ATB_FILE_DENIED", message, { hint, cause });
}

function describeReason(place: string, name: string): string {
  const found = statIfPresent(place);
  if (!found) return `${name} cannot be inspected`;
  const uid = getOwnUid();
  if (found.uid !== uid) return `${name} belongs to user ${found.uid}, and this is user ${uid}`;
  return `${name} has the mode ${(found.mode & 0o777).toString(8).padStart(4, "0")}`;
}

function findNearestExisting(path: string): string {
  return statIfPresent(path) || path === dirname(path) ? path : findNearestExisting(dirname(path));
}

function statIfPresent(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}

function getCode(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
}
