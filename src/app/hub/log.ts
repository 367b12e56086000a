/** The hub's log for people to read. What is in it was cleaned when it was written; it is cleaned again before it is shown. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { resolvePaths } from "../../config/paths.js";
import { fileError } from "../../config/file-errors.js";
import { lookAt } from "../../config/private-files.js";
import { olderLog } from "../../observe/log-file.js";
import { safeText } from "../../safety/safe-text.js";

/** New lines are shown soon enough for somebody who watches, and looking costs next to nothing. */
const LOOK_EVERY_MS = 250;

/**
 * Tells the last `count` lines, oldest first, and with `follow` every line that is written from then on, until aborted.
 * Errors: ATB_FILE_DENIED.
 */
export async function readLog(
  { count, follow }: { readonly count: number; readonly follow: boolean },
  tell: (line: string) => void,
  signal?: AbortSignal,
): Promise<void> {
  const tail = new LogTail(resolvePaths().hubLog);
  const known = tail.begin();
  for (const line of known.slice(Math.max(0, known.length - count))) tell(showLogLine(line));
  while (follow && !signal?.aborted) {
    await pause(LOOK_EVERY_MS, undefined, signal ? { signal } : {}).catch(() => undefined);
    for (const line of tail.read()) tell(showLogLine(line));
  }
}

/** The lines of a file that may be moved away and begun anew at any time. */
class LogTail {
  readonly #path: string;
  #file: string | null = null;
  #position = 0;
  #decoder = new TextDecoder();
  #unfinished = "";

  constructor(path: string) {
    this.#path = path;
  }

  /** All that is there now, of the older file, too. */
  begin(): string[] {
    const older = identityOf(olderLog(this.#path));
    if (older) this.#turnTo(older);
    return this.read();
  }

  /** Whole lines since the last look. */
  read(): string[] {
    // The rest of the file that was moved away comes before the new one.
    return [olderLog(this.#path), this.#path].flatMap((path) => this.#readFrom(path));
  }

  #readFrom(path: string): string[] {
    const found = identityOf(path);
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

function identityOf(path: string): string | null {
  const found = lookAt(path);
  return found ? `${found.dev}:${found.ino}` : null;
}

/** Everything from `position` on; nothing when the file has become shorter. */
function readPiece(path: string, position: number): Buffer {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (cause) {
    throw fileError(cause, path, "cannot be read");
  }
  try {
    const piece = Buffer.alloc(Math.max(0, fstatSync(file).size - position));
    return piece.subarray(0, readSync(file, piece, 0, piece.length, position));
  } finally {
    closeSync(file);
  }
}

/** One line of the log as people read it; what is no line of ours (a dying hub's last words) as it is, made safe to show. */
export function showLogLine(line: string): string {
  const entry = entryOf(line);
  if (!entry) return safeText(line);
  const { time, level, msg, pid, error, ...fields } = entry;
  const facts = Object.entries({ ...fields, ...(error === undefined ? {} : { error: briefly(error) }), pid });
  const told = facts.map(([name, value]) => `${name}=${valueText(value)}`).join(" ");
  const stack = stackOf(error).map((step) => `\n    ${step}`);
  return safeText(`${textOf(time)} ${textOf(level).padEnd(5)} ${textOf(msg)}  ${told}${stack.join("")}`);
}

function entryOf(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && "msg" in value && "time" in value ? value : null;
  } catch {
    return null;
  }
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function valueText(value: unknown): string {
  return typeof value === "string" && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}

interface LoggedError {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly stack?: unknown;
}

function briefly(error: unknown): unknown {
  const { name, message } = (typeof error === "object" && error !== null ? error : {}) as LoggedError;
  return message === undefined ? error : `${textOf(name)}: ${textOf(message)}`;
}

/** Where it happened, without the first line, which says again what happened. */
function stackOf(error: unknown): string[] {
  const { stack } = (typeof error === "object" && error !== null ? error : {}) as LoggedError;
  if (typeof stack !== "string") return [];
  return stack
    .split("\n")
    .map((step) => step.trim())
    .filter((step) => step.startsWith("at "));
}
