/** `fs/*`: reads and writes text files of the workspace. Links that appear after the check are not followed. */
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
  type Stats,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import type { RequestError } from "@agentclientprotocol/sdk";
import { attempt } from "../../../../model/data/attempt.js";
import type { Json } from "../../../../model/data/json.js";
import type { Random } from "../../../../observe/random.js";
import { createFailure, withPlainErrors, createForbidden } from "./request-errors.js";
import type { Workspace } from "./workspace.js";

/** In JSON it may grow sixfold. */
export const FILE_BYTES_MAX = 4 * 1024 * 1024;

/** Opening a pipe must not block. */
const NEVER_WAIT = constants.O_NONBLOCK | constants.O_NOFOLLOW;
const NEW_FILE_MODE = 0o666;
const PERMISSION_BITS = 0o7777;

/** Errors: `RequestError`. */
export function readText(
  workspace: Workspace,
  { path, line, limit }: Json,
): { content: string; path: string } {
  const from = readLineNumber(line, "line") ?? 1;
  const most = readLineNumber(limit, "limit") ?? Infinity;
  const file = workspace.resolve(path);
  const bytes = useFile(file, constants.O_RDONLY, (fd) => {
    const { size } = statRegular(fd, file);
    if (size > FILE_BYTES_MAX) throw createTooLongError(file, size);
    return readFileSync(fd);
  });
  const text = decodeText(bytes);
  if (text === null) throw createFailure(`${file} is no UTF-8 text`);
  return { content: selectLines(text, from, most), path: file };
}

function readLineNumber(given: unknown, name: string): number | null {
  if (given === undefined || given === null) return null;
  if (typeof given === "number" && Number.isInteger(given) && given >= 0) return given;
  throw createForbidden(`${name} has to be a whole number, 0 or above`);
}

/** Replaces the file at once, so that readers see the old or the new text. Errors: `RequestError`. */
export function writeText(workspace: Workspace, random: Random, { path, content }: Json): string {
  if (typeof content !== "string") throw createForbidden("content has to be a text");
  const bytes = Buffer.from(content);
  const file = workspace.resolve(path);
  if (bytes.length > FILE_BYTES_MAX) throw createTooLongError(file, bytes.length);
  return withPlainErrors(file, () => {
    mkdirSync(dirname(file), { recursive: true });
    // The missing folders could not be checked before.
    if (workspace.resolve(file) !== file) throw createMovedError(file);
    const before = lstatSync(file, { throwIfNoEntry: false });
    if (before && !before.isFile()) throw createNotRegularError(file);
    if (before && !isReplaceable(before)) overwrite(file, bytes);
    else replace(file, bytes, before, random);
    return file;
  });
}

/** A new file would lose hard links and a different owner. */
function isReplaceable({ nlink, uid }: Stats): boolean {
  return nlink === 1 && uid === process.getuid?.();
}

function replace(file: string, bytes: Uint8Array, before: Stats | undefined, random: Random): void {
  withFolder(file, (folder, check) => {
    const draft = `.${basename(file).slice(0, 100)}.${random.short(8)}.tmp`;
    putInPlace(join(folder, draft), join(folder, basename(file)), { bytes, before, check });
  });
}

interface Replacement {
  readonly bytes: Uint8Array;
  readonly before: Stats | undefined;
  /** Throws if the folder is no longer the one that was checked. */
  readonly check: () => void;
}

function putInPlace(draft: string, file: string, { bytes, before, check }: Replacement): void {
  withOpen(draft, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, (fd) => {
    try {
      check();
      writeFileSync(fd, bytes);
      if (before) fchmodSync(fd, before.mode & PERMISSION_BITS);
      check();
      renameSync(draft, file);
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
  });
}

/**
 * Uses the folder by its descriptor, so that renaming it changes nothing. Where the system has no such paths, `check` resolves its name
 * again.
 */
function withFolder(file: string, use: (folder: string, check: () => void) => void): void {
  const folder = dirname(file);
  withOpen(folder, constants.O_RDONLY | constants.O_DIRECTORY, (fd) => {
    const isByDescriptor = findRealPath(fd) !== null;
    const check = (): void => {
      if ((findRealPath(fd) ?? realpathSync.native(folder)) !== folder) throw createMovedError(file);
    };
    check();
    use(isByDescriptor ? `/proc/self/fd/${fd}` : folder, check);
  });
}

function overwrite(file: string, bytes: Uint8Array): void {
  useFile(file, constants.O_WRONLY, (fd) => {
    statRegular(fd, file);
    ftruncateSync(fd);
    writeFileSync(fd, bytes);
  });
}

function useFile<T>(file: string, flags: number, use: (fd: number) => T): T {
  return withPlainErrors(file, () =>
    withOpen(file, flags, (fd) => {
      if ((findRealPath(fd) ?? file) !== file) throw createMovedError(file);
      return use(fd);
    }),
  );
}

function withOpen<T>(path: string, flags: number, use: (fd: number) => T): T {
  const fd = openSync(path, flags | NEVER_WAIT, NEW_FILE_MODE);
  try {
    return use(fd);
  } finally {
    closeSync(fd);
  }
}

/** Detects that a folder in the path became a link after the check. */
function findRealPath(fd: number): string | null {
  return attempt(() => readlinkSync(`/proc/self/fd/${fd}`), null);
}

function statRegular(fd: number, file: string): Stats {
  const stats = fstatSync(fd);
  if (!stats.isFile()) throw createNotRegularError(file);
  return stats;
}

function createNotRegularError(file: string): RequestError {
  return createFailure(`${file} is no plain file`);
}

function createMovedError(file: string): RequestError {
  return createFailure(`${file} became another place while it was looked up`);
}

function createTooLongError(file: string, bytes: number): RequestError {
  const words = `${file} has ${bytes} bytes; at most ${FILE_BYTES_MAX} are read or written in one piece`;
  return createFailure(words);
}

/** Keeps a byte order mark. Null if it is not UTF-8. */
function decodeText(bytes: Uint8Array): string | null {
  return attempt(() => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes), null);
}

/** `limit` lines from the 1-based `line` on. */
function selectLines(text: string, line: number, limit: number): string {
  let from = 0;
  for (let skipped = 1; skipped < line && from < text.length; skipped += 1) from = findLineEnd(text, from);
  let to = from;
  for (let taken = 0; taken < limit && to < text.length; taken += 1) to = findLineEnd(text, to);
  return text.slice(from, to);
}

function findLineEnd(text: string, from: number): number {
  const at = text.indexOf("\n", from);
  return at < 0 ? text.length : at + 1;
}
