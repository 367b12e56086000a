/** How often a dialog matched the tool's own request (ADR 40), one line each, appended by several workers. Contains no text of prompts. */
import { appendFileSync, readFileSync, renameSync, statSync } from "node:fs";

/** Some thousand dialogs. */
const LOG_BYTES_MAX = 512 * 1024;

export interface LoggedReading {
  /** ISO 8601. */
  readonly at: string;
  readonly tool: string;
  /** Version of the adapter file that read it. */
  readonly adapter: string;
  /** Null: no dialog was found. */
  readonly rule: string | null;
  readonly differences: readonly string[];
}

/** Failures are ignored: a session must not suffer from it. */
export function logReading(file: string, reading: LoggedReading): void {
  try {
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LOG_BYTES_MAX)
      renameSync(file, `${file}.old`);
    appendFileSync(file, `${JSON.stringify(reading)}\n`, { mode: 0o600 });
  } catch {}
}

/** Oldest first, without broken lines. */
export function readReadings(file: string): readonly LoggedReading[] {
  return [`${file}.old`, file].flatMap(readLines).flatMap(parseLine);
}

function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch {
    return [];
  }
}

function parseLine(line: string): readonly LoggedReading[] {
  try {
    const value = JSON.parse(line) as Partial<LoggedReading>;
    const isComplete =
      [value.at, value.tool, value.adapter].every((text) => typeof text === "string") &&
      Array.isArray(value.differences);
    return isComplete ? [value as LoggedReading] : [];
  } catch {
    return [];
  }
}
