/** Prints the hub's log. Entries are sanitized when written and when shown. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { resolvePaths } from "../config/paths.js";
import { createFileError } from "../config/file-errors.js";
import { statUnfollowed } from "../config/private-files.js";
import { getRotatedLog } from "../observe/log-file.js";
import { sanitizeText } from "../safety/safe-text.js";

const POLL_EVERY_MS = 250;

/** Passes the last `count` lines, and with `follow` all new ones until aborted. Errors: ATB_FILE_DENIED. */
export async function readLog(
  { count, follow }: { readonly count: number; readonly follow: boolean },
  tell: (line: string) => void,
  signal?: AbortSignal,
): Promise<void> {
  const tail = new LogTail(resolvePaths().hubLog);
  const known = tail.begin();
  for (const line of known.slice(Math.max(0, known.length - count))) tell(formatLogLine(line));
  while (follow && !signal?.aborted) {
    await pause(POLL_EVERY_MS, undefined, signal ? { signal } : {}).catch(() => undefined);
    for (const line of tail.read()) tell(formatLogLine(line));
  }
}

/** Reads a file that may be rotated at any time. */
class LogTail {
  readonly #path: string;
  #file: string | null = null;
  #position = 0;
  #decoder = new TextDecoder();
  #unfinished = "";

  constructor(path: string) {
    this.#path = path;
  }

  /** Everything there is now, including the rotated file. */
  begin(): string[] {
    const older = getIdentity(getRotatedLog(this.#path));
    if (older) this.#turnTo(older);
    return this.read();
  }

  read(): string[] {
    // The rest of the rotated file comes before the new one.
    return [getRotatedLog(this.#path), this.#path].flatMap((path) => this.#readFrom(path));
  }

  #readFrom(path: string): string[] {
    const found = getIdentity(path);
    const isNew = found !== this.#file;
    if (found === null || (isNew && path !== this.#path)) return [];
    if (isNew) this.#turnTo(found);
    const piece = readPiece(path, this.#position);
    this.#position += piece.length;
    const lines = (this.#unfinished + this.#decoder.decode(piece, { stream: true })).split("\n");
    this.#unfinished = lines.pop() ?? "";
    return lines.filter((line) => line !== "");
  }

  #turnTo(file: string): void {
    this.#file = file;
    this.#position = 0;
    this.#decoder = new TextDecoder();
    this.#unfinished = "";
  }
}

function getIdentity(path: string): string | null {
  const found = statUnfollowed(path);
  return found ? `${found.dev}:${found.ino}` : null;
}

function readPiece(path: string, position: number): Buffer {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (cause) {
    throw createFileError(cause, path, "cannot be read");
  }
  try {
    const piece = Buffer.alloc(Math.max(0, fstatSync(file).size - position));
    return piece.subarray(0, readSync(file, piece, 0, piece.length, position));
  } finally {
    closeSync(file);
  }
}

/** Text that is no entry (the output of a crash) is only sanitized. */
export function formatLogLine(line: string): string {
  const entry = parseEntry(line);
  if (!entry) return sanitizeText(line);
  const { time, level, msg, pid, error, ...fields } = entry;
  const facts = Object.entries({
    ...fields,
    ...(error === undefined ? {} : { error: summarizeError(error) }),
    pid,
  });
  const told = facts.map(([name, value]) => `${name}=${formatValue(value)}`).join(" ");
  const stack = listStackLines(error).map((step) => `\n    ${step}`);
  return sanitizeText(
    `${formatField(time)} ${formatField(level).padEnd(5)} ${formatField(msg)}  ${told}${stack.join("")}`,
  );
}

function parseEntry(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && "msg" in value && "time" in value ? value : null;
  } catch {
    return null;
  }
}

function formatField(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function formatValue(value: unknown): string {
  return typeof value === "string" && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}

interface LoggedError {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly stack?: unknown;
}

function summarizeError(error: unknown): unknown {
  const { name, message } = (typeof error === "object" && error !== null ? error : {}) as LoggedError;
  return message === undefined ? error : `${formatField(name)}: ${formatField(message)}`;
}

function listStackLines(error: unknown): string[] {
  const { stack } = (typeof error === "object" && error !== null ? error : {}) as LoggedError;
  if (typeof stack !== "string") return [];
  return stack
    .split("\n")
    .map((step) => step.trim())
    .filter((step) => step.startsWith("at "));
}
