/** Checks that a descriptor was opened for writing by the program that started us, and not by Node. */
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
const ACCESS_MODES = 0o3;

/** Errors: ATB_USAGE if it is not open, not for writing, or a terminal. */
export function checkDescriptor(fd: number): Stats {
  const stats = tryTo(() => fstatSync(fd), null);
  if (!stats || isOfNode(fd)) throw createUsageError(`file descriptor ${fd} is not open`);
  if (isatty(fd)) throw createUsageError(`file descriptor ${fd} is a terminal, where the tool draws`);
  try {
    // An empty write has no effect, and fails if the descriptor is not open for writing.
    writeSync(fd, EMPTY);
  } catch {
    throw createUsageError(`file descriptor ${fd} is not open for writing`);
  }
  return stats;
}

/**
 * Opens a pipe again, because making the given descriptor non-blocking would affect other programs. Null: nobody reads it. Returns the
 * given descriptor if the system cannot open it again.
 */
export function reopenPipe(fd: number): number | null {
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENXIO" ? null : fd;
  }
}

export function closeQuietly(fd: number): void {
  try {
    closeSync(fd);
  } catch {
    // It is closed already.
  }
}

/** Node's own event loop, or a pipe with both ends in this process. Can be detected only on Linux. */
function isOfNode(fd: number): boolean {
  const target = readTarget(fd);
  if (target.startsWith("anon_inode:")) return true;
  return (
    target.startsWith("pipe:") && listDescriptors().some((each) => each !== fd && isReadEnd(each, target))
  );
}

function isReadEnd(fd: number, target: string): boolean {
  if (readTarget(fd) !== target) return false;
  const info = tryTo(() => readFileSync(`/proc/self/fdinfo/${fd}`, "utf8"), "");
  const [, flags = "1"] = /^flags:\s+([0-7]+)$/m.exec(info) ?? [];
  return (parseInt(flags, 8) & ACCESS_MODES) === constants.O_RDONLY;
}

function listDescriptors(): number[] {
  return tryTo(() => readdirSync("/proc/self/fd").map(Number), []);
}

function readTarget(fd: number): string {
  return tryTo(() => readlinkSync(`/proc/self/fd/${fd}`), "");
}

function tryTo<Result, Otherwise>(read: () => Result, otherwise: Otherwise): Result | Otherwise {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

function createUsageError(problem: string): AtlasBridgeError {
  return new AtlasBridgeError("ATB_USAGE", problem, {
    hint: "Open it for the command: `atlasbridge run --events 3 TOOL 3>events.jsonl`.",
  });
}
