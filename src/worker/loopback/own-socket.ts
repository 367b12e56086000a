/** Checks that a tool's socket belongs to our user, because people's answers are sent to it. */
import { lstatSync, readlinkSync, type Stats } from "node:fs";
import { dirname, isAbsolute } from "node:path";
import { attempt } from "../../model/data/attempt.js";

const OTHERS_MAY_WRITE = 0o022;

/** The limit of macOS; Linux allows a little more. Node cuts a longer path and connects to the rest. */
const PATH_BYTES_MAX = 103;

/**
 * The path of a socket of user `uid`, in a folder that only that user can write to. One link is followed, which tools use where a path is
 * too long. Null where there is no such socket. Never throws.
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

function readStat(path: string): Stats | null {
  return attempt(() => lstatSync(path), null);
}

function readTarget(link: string): string | null {
  const target = attempt(() => readlinkSync(link), "");
  return isAbsolute(target) ? target : null;
}
