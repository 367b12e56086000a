/** A log file and its predecessor, each at most LOG_BYTES_MAX. */
import { appendFileSync, renameSync, statSync } from "node:fs";

export const LOG_BYTES_MAX = 5 * 1024 * 1024;
/** An error with its stack and causes. A longer line would contain other data. */
export const LOG_LINE_BYTES_MAX = 64 * 1024;

/** The previous one is overwritten. */
export function getRotatedLog(path: string): string {
  return `${path}.1`;
}

/**
 * Appends a line to a private file. Opened for each line, so that the file may be moved. Synchronous, because the last line before a crash
 * matters most. On a full disk the line is lost.
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
