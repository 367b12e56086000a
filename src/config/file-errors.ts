/** Errors of the file system in words that help: what could not be done, where, why, and what to do (design §12). */
import { accessSync, constants, lstatSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import { AtlasBridgeError } from "../model/errors.js";
import { ownUid } from "./own-user.js";

const DENIED = new Set(["EACCES", "EPERM", "EROFS"]);
const FULL = new Set(["ENOSPC", "EDQUOT"]);

/** `what` could not be done with `path`. What is an AtlasBridgeError already stays what it is. */
export function fileError(cause: unknown, path: string, what: string): AtlasBridgeError {
  if (cause instanceof AtlasBridgeError) return cause;
  const code = codeOf(cause);
  if (DENIED.has(code)) return deniedFile(path) ?? denied(path, `${what} (${code})`, cause);
  const hint = FULL.has(code)
    ? "The disk is full: make room; what runs under AtlasBridge goes on meanwhile."
    : "Check that it is what it should be and where it should be, or set ATLASBRIDGE_HOME to another place.";
  return new AtlasBridgeError("ATB_HUB_UNREACHABLE", `${path} ${what}${code && ` (${code})`}`, {
    hint,
    cause,
  });
}

/** The error for a file that this user may not read and write, naming its owner; null where permissions are not in the way. */
export function deniedFile(path: string): AtlasBridgeError | null {
  const place = nearestExisting(path);
  try {
    accessSync(place, constants.R_OK | constants.W_OK);
    return null;
  } catch (cause) {
    return DENIED.has(codeOf(cause)) ? denied(place, `may not be used: ${reasonOf(place)}`, cause) : null;
  }
}

/** The path itself, or the first directory above it that can be looked at. */
function nearestExisting(path: string): string {
  return statusOf(path) || path === dirname(path) ? path : nearestExisting(dirname(path));
}

function denied(path: string, what: string, cause: unknown): AtlasBridgeError {
  return new AtlasBridgeError("ATB_FILE_DENIED", `${path} ${what}`, {
    hint: "Was a command run with sudo? Give the file back to its user (chown, chmod u+rw), or set ATLASBRIDGE_HOME to another place.",
    cause,
  });
}

function reasonOf(path: string): string {
  const found = statusOf(path);
  if (!found) return "it cannot be looked at";
  const uid = ownUid();
  if (found.uid !== uid) return `it belongs to user ${found.uid}, and this is user ${uid}`;
  return `its mode is ${(found.mode & 0o777).toString(8).padStart(4, "0")}`;
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
