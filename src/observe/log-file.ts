/** A log file and its predecessor: together never more than twice LOG_BYTES_MAX. */
import { appendFileSync, renameSync, statSync } from "node:fs";

/** Weeks of an ordinary hub, read in an instant. */
export const LOG_BYTES_MAX = 5 * 1024 * 1024;
/** One line: an error with its stack and causes. A longer one would contain somebody's data. */
export const LOG_LINE_BYTES_MAX = 64 * 1024;

/** The name of the rotated file; the previous one is overwritten. */
export function getRotatedLog(path: string): string {
  return `${path}.1`;
}

/**
 * Appends a whole line (with its line feed) to a file that only its owner can read. Opened for each line, so that moving or
 * removing the file does no harm. Synchronous, because the last line before a crash matters most. A line that cannot be written
 * (full disk) is lost without an error: nothing may fail because of its log.
 */
export function appendToLog(path: string, line: string): void {
  try {
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (size + Buffer.byteLength(line) > LOG_BYTES_MAX) renameSync(path, getRotatedLog(path));
    appendFileSync(path, line, { mode: 0o600 });
  } catch {
    // There is nobody left to inform.
  }
}
