/** Checks that a descriptor is one that whoever started us opened for writing, and none that Node opened for itself. */
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeSync,
  type Stats,
} from "node:fs";
import { isatty } from "node:tty";
import { AtlasBridgeError } from "../../../model/errors.js";

const EMPTY = new Uint8Array(0);
/** Of the flags in `/proc/self/fdinfo`. */
const ACCESS_MODES = 0o3;

/** Errors: ATB_USAGE if it is not open, not for writing, or a terminal. */
export function checkDescriptor(fd: number): Stats {
  const stats = findStats(fd);
  if (!stats || isOfNode(fd)) throw createUsageError(`file descriptor ${fd} is not open`);
  if (isatty(fd)) throw createUsageError(`file descriptor ${fd} is a terminal, where the tool draws`);
  try {
    // It changes nothing, and fails where nothing may be written.
    writeSync(fd, EMPTY);
  } catch {
    throw createUsageError(`file descriptor ${fd} is not open for writing`);
  }
  return stats;
}

/**
 * A pipe without its own flags: making the given one non-blocking would change it for all programs that share it. Null: nobody reads
 * it. The given descriptor where the system cannot open it again.
 */
export function reopenPipe(fd: number): number | null {
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENXIO" ? null : fd;
  }
}

/** Never throws. */
export function closeQuietly(fd: number): void {
  try {
    closeSync(fd);
  } catch {
    // It is closed.
  }
}

function findStats(fd: number): Stats | null {
  try {
    return fstatSync(fd);
  } catch {
    return null;
  }
}

/** Node's own event loop, or a pipe with both ends in this process. Only Linux tells. */
function isOfNode(fd: number): boolean {
  const target = readTarget(fd);
  if (target.startsWith("anon_inode:")) return true;
  return (
    target.startsWith("pipe:") && listDescriptors().some((each) => each !== fd && isReadEnd(each, target))
  );
}

function isReadEnd(fd: number, target: string): boolean {
  if (readTarget(fd) !== target) return false;
  try {
    const [, flags = "1"] =
      /^flags:\s+([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "utf8")) ?? [];
    return (parseInt(flags, 8) & ACCESS_MODES) === constants.O_RDONLY;
  } catch {
    return false;
  }
}

function listDescriptors(): number[] {
  try {
    return readdirSync("/proc/self/fd").map(Number);
  } catch {
    return [];
  }
}

function readTarget(fd: number): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return "";
  }
}

function createUsageError(problem: string): AtlasBridgeError {
  return new AtlasBridgeError("ATB_USAGE", problem, {
    hint: "Open it for the command: `atlasbridge run --events 3 TOOL 3>events.jsonl`.",
  });
}
