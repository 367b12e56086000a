/** A log's file and the one before it: together never more than twice LOG_BYTES_MAX, whatever is written. */
import { appendFileSync, renameSync, statSync } from "node:fs";

/** Weeks of an ordinary hub, read in an instant. */
export const LOG_BYTES_MAX = 5 * 1024 * 1024;
/** One line: an error with its stack and its causes. A longer one would be somebody's data. */
export const LOG_LINE_BYTES_MAX = 64 * 1024;

/** Where the file goes when a new one is begun; the one before that is gone then. */
export function olderLog(path: string): string {
  return `${path}.1`;
}

/**
 * Appends a whole line (with its line feed) to a file that only its owner can read. Opened anew each time: whoever moves or removes
 * the file does no harm. Synchronous: the last line before a crash is the one that matters. What cannot be written (a full disk) is
 * lost without an error, for nothing may fail because of its log.
 */
export function appendToLog(path: string, line: string): void {
  try {
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (size + Buffer.byteLength(line) > LOG_BYTES_MAX) renameSync(path, olderLog(path));
    appendFileSync(path, line, { mode: 0o600 });
  } catch {
    // There is nobody left to tell.
  }
}
