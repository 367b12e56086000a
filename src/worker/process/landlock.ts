/**
 * Uses Linux's Landlock (landlock(7)): a process gives up, for itself and everything that it will ever start, the right to open
 * whatever is not listed. There are only permissions and no prohibitions, so everything beside the closed paths is listed, from
 * the root down (ADR 30).
 */
import { closeSync, constants, lstatSync, openSync, readdirSync, readlinkSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { openCLibrary } from "../../observe/system-calls.js";

export interface ClosedPaths {
  readonly closed: readonly string[];
  /** Files below them that may still be read. */
  readonly readable: readonly string[];
}

/** From this version on, emptying a file by its name can be refused, too (Linux 6.2). */
export const OLDEST_ABI = 3;
/** From this version on, signals to processes outside can be refused (Linux 6.12). */
export const SIGNALS_ABI = 6;
const NETWORK_ABI = 4;
const DEVICES_ABI = 5;

/** The same numbers on every architecture. */
const CREATE_RULESET = 444;
const ADD_RULE = 445;
const RESTRICT_SELF = 446;
const VERSION_FLAG = 1;
const PATH_BENEATH = 1;
const PR_SET_NO_NEW_PRIVS = 38;
/** Node has no name for this flag: the descriptor only denotes a path. */
const O_PATH = 0o10000000;

const EXECUTE = 1n << 0n;
const WRITE_FILE = 1n << 1n;
const READ_FILE = 1n << 2n;
const READ_DIR = 1n << 3n;
const TRUNCATE = 1n << 14n;
const IOCTL_DEV = 1n << 15n;
/** All rights that concern names in directories, up to moving them elsewhere. */
const NAMES = ((1n << 14n) - 1n) & ~(EXECUTE | WRITE_FILE | READ_FILE | READ_DIR);
/**
 * Capabilities that root must lose, because they bypass Landlock: handles of files, modules, raw memory and disks, other
 * processes, administration, device nodes, kernel programs. With `perfmon` or `sysAdmin` a process may read the memory of any
 * other, whatever Landlock says.
 */
const CAPABILITIES = {
  dacReadSearch: 2,
  sysModule: 16,
  sysRawIo: 17,
  sysPtrace: 19,
  sysAdmin: 21,
  mknod: 27,
  perfmon: 38,
  bpf: 39,
};
/** The kernel follows no more links than this in one path. */
const LINKS_MAX = 40;
const PR_CAPBSET_DROP = 24;
const SCOPE_ABSTRACT_SOCKETS = 1n << 0n;
const SCOPE_SIGNALS = 1n << 1n;

let loaded: ReturnType<typeof loadLibrary> | undefined;

function loadLibrary() {
  const libc = openCLibrary();
  return (
    libc && {
      libc,
      syscall: libc.func("long syscall(long number, ...)"),
      prctl: libc.func("int prctl(int, ulong, ulong, ulong, ulong)"),
    }
  );
}

/** Throws Error where the library is missing: then nothing may be called closed. */
function requireLibrary(): NonNullable<typeof loaded> {
  loaded ??= loadLibrary();
  if (!loaded) throw new Error("the kernel cannot be called from here");
  return loaded;
}

/** Reads the kernel's version of Landlock; 0 where it has none, where it is switched off, and where the kernel cannot be asked. */
export function readLandlockAbi(): number {
  loaded ??= loadLibrary();
  if (!loaded) return 0;
  return Math.max(0, loaded.syscall(CREATE_RULESET, "void *", null, "size_t", 0, "uint32", VERSION_FLAG));
}

/** Closes the paths for the calling thread and everything that it becomes or starts, forever. Throws Error with the step that failed. */
export function closePaths({ closed, readable }: ClosedPaths): void {
  const abi = readLandlockAbi();
  const ruleset = createRuleset(abi);
  const rights = computeRights(abi);
  const targets = [...new Set(closed.flatMap(resolveExisting))];
  for (const ancestor of findAncestors(targets)) {
    // Directories can be listed everywhere: without that not even `ls /` works. The files behind the names stay closed.
    addRule(ruleset, ancestor, READ_DIR);
    for (const name of readdirSync(ancestor)) {
      const path = join(ancestor, name);
      const isAbove = targets.some((target) => target === path || target.startsWith(`${path}/`));
      if (!isAbove) addRule(ruleset, path, rights);
    }
  }
  for (const file of readable) addRule(ruleset, file, READ_FILE);
  restrictSelf(ruleset);
  dropCapabilities();
}

/** Finds the directories above the closed paths in which this user can no longer create names. */
export function findFrozenDirectories(
  closed: readonly string[],
  mayWrite: (directory: string) => boolean,
): string[] {
  return findAncestors([...new Set(closed.flatMap(resolveExisting))]).filter(mayWrite);
}

function createRuleset(abi: number): number {
  const attributes = Buffer.alloc(24);
  attributes.writeBigUInt64LE(computeRights(abi), 0);
  if (abi >= SIGNALS_ABI) attributes.writeBigUInt64LE(SCOPE_ABSTRACT_SOCKETS | SCOPE_SIGNALS, 16);
  const size = abi >= SIGNALS_ABI ? 24 : abi >= NETWORK_ABI ? 16 : 8;
  const ruleset = requireLibrary().syscall(CREATE_RULESET, "void *", attributes, "size_t", size, "uint32", 0);
  if (ruleset < 0) throw createError("landlock_create_ruleset");
  return ruleset;
}

function computeRights(abi: number): bigint {
  const all = EXECUTE | WRITE_FILE | READ_FILE | READ_DIR | NAMES | TRUNCATE;
  return abi >= DEVICES_ABI ? all | IOCTL_DEV : all;
}

function addRule(ruleset: number, path: string, rights: bigint): void {
  const place = openPath(path);
  if (place === null) return;
  try {
    const { fd, isDirectory } = place;
    const fitting = isDirectory ? rights : rights & (EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV);
    const rule = Buffer.alloc(12);
    rule.writeBigUInt64LE(fitting, 0);
    rule.writeInt32LE(fd, 8);
    const added = requireLibrary().syscall(
      ADD_RULE,
      ...["int", ruleset, "int", PATH_BENEATH, "void *", rule, "uint32", 0],
    );
    if (added !== 0) throw createError(`landlock_add_rule for ${path}`);
  } finally {
    closeSync(place.fd);
  }
}

/** Opens a path. Null for a link (its target has a path of its own), and for a missing or unreachable path. */
function openPath(path: string): { readonly fd: number; readonly isDirectory: boolean } | null {
  try {
    const found = lstatSync(path);
    if (found.isSymbolicLink()) return null;
    return { fd: openSync(path, O_PATH | constants.O_NOFOLLOW), isDirectory: found.isDirectory() };
  } catch {
    return null;
  }
}

function restrictSelf(ruleset: number): void {
  const { syscall, prctl } = requireLibrary();
  const tried = (): number => syscall(RESTRICT_SELF, "int", ruleset, "uint32", 0);
  // A privileged process keeps what `sudo` and the like need. Any other has to give that up first.
  if (tried() === 0) return;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) !== 0) throw createError("prctl(PR_SET_NO_NEW_PRIVS)");
  if (tried() !== 0) throw createError("landlock_restrict_self");
}

/** Takes effect from the next `execve` on. Only a privileged process has capabilities, and only it may drop them. */
function dropCapabilities(): void {
  const { prctl } = requireLibrary();
  for (const capability of Object.values(CAPABILITIES))
    if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) !== 0 && process.getuid?.() === 0)
      throw createError(`dropping capability ${capability}`);
}

/**
 * Returns the real path and every link on the way to it, because replacing a link would lead the path elsewhere. Returns an empty
 * list for a missing path: it cannot be closed, and nobody may create it in a frozen directory.
 */
function resolveExisting(path: string): string[] {
  const links: string[] = [];
  const names = splitPath(path);
  let at = "/";
  try {
    for (let name = names.shift(); name !== undefined; name = names.shift()) {
      const next = join(at, name);
      if (!lstatSync(next).isSymbolicLink()) {
        at = next;
        continue;
      }
      links.push(next);
      if (links.length > LINKS_MAX) return [];
      const target = readlinkSync(next);
      if (isAbsolute(target)) at = "/";
      names.unshift(...splitPath(target));
    }
  } catch {
    return [];
  }
  return [...links, at];
}

function splitPath(path: string): string[] {
  return path.split("/").filter((name) => name !== "" && name !== ".");
}

function findAncestors(paths: readonly string[]): string[] {
  const found = new Set<string>();
  for (const path of paths) for (let at = dirname(path); !found.has(at); at = dirname(at)) found.add(at);
  const isClosed = (directory: string): boolean =>
    paths.some((path) => directory === path || directory.startsWith(`${path}/`));
  return [...found].filter((directory) => !isClosed(directory)).sort();
}

function createError(step: string): Error {
  const { libc } = requireLibrary();
  const errno = libc.errno();
  const name = Object.keys(libc.errorNumbers).find((each) => libc.errorNumbers[each] === errno);
  return new Error(`${step} failed: ${name ?? `error ${errno}`}`);
}
