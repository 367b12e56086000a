/** Whether a tool's socket is our user's alone: what stands there could otherwise be anybody's, and would hear what people answer. */
import { lstatSync, readlinkSync, type Stats } from "node:fs";
import { dirname, isAbsolute } from "node:path";

/** Of a folder in which others could put another socket in its place. */
const OTHERS_MAY_WRITE = 0o022;

/** macOS takes this much, Linux a little more. Of a longer one Node takes the beginning, and connects to whatever stands there. */
const PATH_BYTES_MAX = 103;

/**
 * The path to connect to: of a socket that belongs to user `uid`, in a folder of theirs that nobody else can write to. Tools put a
 * link of their own there where the path would be too long for a socket; it is followed once, and its end is looked at in the same
 * way. Null: there is none, or another's. Never throws.
 */
export function ownSocket(path: string, uid: number): string | null {
  const found = statOf(path);
  if (!isOwnFolder(dirname(path), uid) || found?.uid !== uid) return null;
  if (found.isSocket()) return fitting(path);
  const target = found.isSymbolicLink() ? targetOf(path) : null;
  if (target === null || !isOwnFolder(dirname(target), uid)) return null;
  const end = statOf(target);
  return end?.isSocket() === true && end.uid === uid ? fitting(target) : null;
}

function fitting(path: string): string | null {
  return Buffer.byteLength(path) <= PATH_BYTES_MAX ? path : null;
}

function isOwnFolder(path: string, uid: number): boolean {
  const found = statOf(path);
  return found?.isDirectory() === true && found.uid === uid && (found.mode & OTHERS_MAY_WRITE) === 0;
}

/** No link is followed. */
function statOf(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}

function targetOf(link: string): string | null {
  try {
    const target = readlinkSync(link);
    return isAbsolute(target) ? target : null;
  } catch {
    return null;
  }
}
