/** Checks that a tool's socket belongs to our user alone. Otherwise it could be anybody's, who would receive people's answers. */
import { lstatSync, readlinkSync, type Stats } from "node:fs";
import { dirname, isAbsolute } from "node:path";

/** Mode bits of a folder in which others could replace the socket. */
const OTHERS_MAY_WRITE = 0o022;

/**
 * The longest path of a socket on macOS; Linux takes a little more. Node cuts a longer one, and connects to whatever is at the cut
 * path.
 */
const PATH_BYTES_MAX = 103;

/**
 * Finds the path to connect to: a socket that belongs to user `uid`, in a folder of theirs that nobody else can write to. Tools
 * put a link there where the path would be too long for a socket; it is followed once, and its target is checked in the same way.
 * Null: there is none, or it belongs to another user. Never throws.
 */
export function findOwnSocket(path: string, uid: number): string | null {
  const found = readStat(path);
  if (!isOwnFolder(dirname(path), uid) || found?.uid !== uid) return null;
  if (found.isSocket()) return limitLength(path);
  const target = found.isSymbolicLink() ? readTarget(path) : null;
  if (target === null || !isOwnFolder(dirname(target), uid)) return null;
  const end = readStat(target);
  return end?.isSocket() === true && end.uid === uid ? limitLength(target) : null;
}

function limitLength(path: string): string | null {
  return Buffer.byteLength(path) <= PATH_BYTES_MAX ? path : null;
}

function isOwnFolder(path: string, uid: number): boolean {
  const found = readStat(path);
  return found?.isDirectory() === true && found.uid === uid && (found.mode & OTHERS_MAY_WRITE) === 0;
}

/** Follows no link. */
function readStat(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}

function readTarget(link: string): string | null {
  try {
    const target = readlinkSync(link);
    return isAbsolute(target) ? target : null;
  } catch {
    return null;
  }
}
