/** Describes file system errors: what failed, where, why, and what to do. */
import { accessSync, constants, lstatSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import { AtlasBridgeError } from "../model/errors.js";
import { ownUid } from "./own-user.js";

const DENIED = new Set(["EACCES", "EPERM", "EROFS"]);
const FULL = new Set(["ENOSPC", "EDQUOT"]);

/** `what` could not be done with `path`. An AtlasBridgeError is returned unchanged. */
export function fileError(cause: unknown, path: string, what: string): AtlasBridgeError {
  if (cause instanceof AtlasBridgeError) return cause;
  const code = codeOf(cause);
  if (DENIED.has(code)) return deniedFile(path, what) ?? denied(`${path} ${what} (${code})`, path, cause);
  const hint = FULL.has(code)
    ? "The disk is full: make room. Running tools continue meanwhile."
    : "Check the path and its type, or set ATLASBRIDGE_HOME to another directory.";
  return new AtlasBridgeError("ATB_HUB_UNREACHABLE", `${path} ${what}${code && ` (${code})`}`, {
    hint,
    cause,
  });
}

/** The error for a file that this user may not read and write, with its owner; null if permissions are not the problem. */
export function deniedFile(path: string, what = "may not be used"): AtlasBridgeError | null {
  const place = nearestExisting(path);
  try {
    accessSync(place, constants.R_OK | constants.W_OK);
    return null;
  } catch (cause) {
    if (!DENIED.has(codeOf(cause))) return null;
    return denied(`${path} ${what}: ${reasonOf(place, place === path ? "it" : place)}`, path, cause);
  }
}

function denied(message: string, path: string, cause: unknown): AtlasBridgeError {
  const hint = statusOf(path)
    ? "Was a command run with sudo? Fix owner and mode (chown, chmod u+rw), or set ATLASBRIDGE_HOME to another directory."
    : "Set ATLASBRIDGE_HOME to a directory that this user may write to.";
  return new AtlasBridgeError("ATB_FILE_DENIED", message, { hint, cause });
}

function reasonOf(place: string, name: string): string {
  const found = statusOf(place);
  if (!found) return `${name} cannot be inspected`;
  const uid = ownUid();
  if (found.uid !== uid) return `${name} belongs to user ${found.uid}, and this is user ${uid}`;
  return `${name} has the mode ${(found.mode & 0o777).toString(8).padStart(4, "0")}`;
}

/** The path itself, or the nearest existing directory above it. */
function nearestExisting(path: string): string {
  return statusOf(path) || path === dirname(path) ? path : nearestExisting(dirname(path));
}

function statusOf(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
}
