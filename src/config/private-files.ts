/** Directories and files that only their owner can access (ADR 5). */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  type Stats,
} from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { AtlasBridgeError } from "../model/errors.js";
import { createFileError } from "./file-errors.js";
import { getOwnUid } from "./own-user.js";
import { SOCKET_PATH_BYTES_MAX, type Paths } from "./paths.js";

const OTHERS_MAY_WRITE = 0o022;
const OTHERS_MAY_ANYTHING = 0o077;
const OWN_FOLDERS = new Set([
  "adapters",
  "bundles",
  "captured_scenarios",
  "consoles",
  "exec",
  "logs",
  "plugins",
  "scenarios",
]);

export const PRIVATE_FILE_MODE = 0o600;

/**
 * Creates the directory (0700, with parents) or checks it: owned by us, no symlink, closed to others. Ours that others can read is closed,
 * unless it has foreign folders (ATLASBRIDGE_HOME=/); one that others can write is refused. Errors: ATB_SOCKET_UNSAFE; ATB_FILE_DENIED or
 * ATB_HUB_UNREACHABLE if it cannot be created.
 */
export function ensurePrivateDirectory(path: string, uid: number = getOwnUid()): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw createFileError(cause, path, "cannot be created");
  }
  const problem = findDirectoryProblem(path, uid);
  if (problem) throw createUnsafeError(path, problem);
  if (lstatSync(path).mode & OTHERS_MAY_ANYTHING) closeToOthers(path);
}

/** Writes a folder so that no reader sees a partial file. Errors: as `ensurePrivateDirectory`, or the system's. */
export function writePrivateFolder(folder: string, files: Readonly<Record<string, object>>): string {
  ensurePrivateDirectory(folder);
  for (const [name, content] of Object.entries(files)) {
    const draft = join(folder, `${name}.${process.pid}`);
    writeFileSync(draft, JSON.stringify(content), { mode: PRIVATE_FILE_MODE });
    renameSync(draft, join(folder, name));
  }
  return folder;
}

/** Why nothing private may be stored in this directory, or null. It must exist. Errors: as `statUnfollowed`. */
export function findDirectoryProblem(path: string, uid: number): string | null {
  const found = statUnfollowed(path);
  if (!found) return "does not exist";
  if (found.isSymbolicLink()) return "is a symbolic link";
  if (!found.isDirectory()) return "is not a directory";
  if (found.uid !== uid) return `belongs to user ${found.uid}, not to ${uid}`;
  if (found.mode & OTHERS_MAY_WRITE) return "may be written to by others";
  const other = found.mode & OTHERS_MAY_ANYTHING ? findForeignFolder(path) : undefined;
  return other === undefined
    ? null
    : `may be entered by others, and cannot be closed because it contains ${other}`;
}

function findForeignFolder(path: string): string | undefined {
  const folders = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.find(({ name }) => !OWN_FOLDERS.has(name))?.name;
}

/** The file's status without following links; undefined if it does not exist. Errors: ATB_FILE_DENIED, ATB_HUB_UNREACHABLE. */
export function statUnfollowed(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw createFileError(cause, path, "cannot be inspected");
  }
}

export function createUnsafeError(path: string, problem: string): AtlasBridgeError {
  return new AtlasBridgeError("ATB_SOCKET_UNSAFE", `the directory ${path} ${problem}`, {
    hint: `It must be a directory of yours that nobody else can enter (chmod 700). Check its content first, or set ATLASBRIDGE_HOME to another directory.`,
  });
}

/** Errors: as `ensurePrivateDirectory`. */
export function ensureHubDirectories(paths: Paths): void {
  for (const path of [paths.dataDir, paths.logsDir, dirname(paths.socket)]) ensurePrivateDirectory(path);
}

/** For clients; only the holder of the lock calls this. Errors: ATB_FILE_DENIED, ATB_HUB_UNREACHABLE. */
export function writeHubAddress(paths: Paths): void {
  const draft = `${paths.hubAddress}.new`;
  try {
    rmSync(draft, { force: true });
    writeFileSync(draft, `${paths.socket}\n`, { mode: PRIVATE_FILE_MODE });
    renameSync(draft, paths.hubAddress);
  } catch (cause) {
    throw createFileError(cause, paths.hubAddress, "cannot be written");
  }
}

/**
 * The sockets where a hub may listen: the published one, then the one of this environment. A socket in a directory that others can change
 * is refused. Errors: ATB_SOCKET_UNSAFE; ATB_FILE_DENIED; ATB_HUB_UNREACHABLE if no hub can have served yet.
 */
export function listHubSockets(paths: Paths, uid: number = getOwnUid()): readonly [string, ...string[]] {
  const wanted = [...new Set([readHubAddress(paths) ?? paths.socket, paths.socket])];
  const problems = wanted.map((socket) => findPlaceProblem(dirname(socket), uid));
  const [first, ...others] = wanted.filter((_, at) => problems[at] === null);
  if (first !== undefined) return [first, ...others];
  const unsafe = problems.find((problem) => problem?.code === "ATB_SOCKET_UNSAFE");
  throw unsafe ?? problems[0] ?? new AtlasBridgeError("ATB_HUB_UNREACHABLE", "no hub is running");
}

function findPlaceProblem(directory: string, uid: number): AtlasBridgeError | null {
  if (!statUnfollowed(directory))
    return new AtlasBridgeError("ATB_HUB_UNREACHABLE", `no hub is running: there is no ${directory}`);
  const problem = findDirectoryProblem(directory, uid);
  return problem === null ? null : createUnsafeError(directory, problem);
}

/** Null if there is none, or it is invalid. */
export function readHubAddress(paths: Paths): string | null {
  try {
    const named = readFileSync(paths.hubAddress, "utf8").trim();
    return isAbsolute(named) && Buffer.byteLength(named) <= SOCKET_PATH_BYTES_MAX ? named : null;
  } catch {
    return null;
  }
}

function closeToOthers(path: string): void {
  try {
    chmodSync(path, 0o700);
  } catch {
    throw createUnsafeError(path, "is open to others and cannot be closed");
  }
}
