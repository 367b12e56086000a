/**
 * Linux's Landlock (landlock(7)): a process gives up, for itself and all that it will ever start, the right to open whatever is not
 * listed. There are only permissions and no prohibitions, so everything beside the closed paths is listed, from the root down (ADR 30).
 */
import { closeSync, constants, lstatSync, openSync, readdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { openCLibrary } from "../../observe/system-calls.js";

export interface ClosedPaths {
  /** Directories and files that stay out of reach. */
  readonly closed: readonly string[];
  /** Files below them that may be read all the same. */
  readonly readable: readonly string[];
}

/** From this version on emptying a file by its name can be refused, too (Linux 6.2). */
export const OLDEST_ABI = 3;
/** From this version on signals to processes outside can be refused (Linux 6.12). */
export const SIGNALS_ABI = 6;
const NETWORK_ABI = 4;
const DEVICES_ABI = 5;

/** The same numbers on every architecture. */
const CREATE_RULESET = 444;
const ADD_RULE = 445;
const RESTRICT_SELF = 446;
const ASK_VERSION = 1;
const PATH_BENEATH = 1;
const PR_SET_NO_NEW_PRIVS = 38;
/** Node has no name for it: a descriptor that only stands for a place. */
const O_PATH = 0o10000000;

const EXECUTE = 1n << 0n;
const WRITE_FILE = 1n << 1n;
const READ_FILE = 1n << 2n;
const READ_DIR = 1n << 3n;
const TRUNCATE = 1n << 14n;
const IOCTL_DEV = 1n << 15n;
/** All that concerns names in directories, up to moving them elsewhere. */
const NAMES = ((1n << 14n) - 1n) & ~(EXECUTE | WRITE_FILE | READ_FILE | READ_DIR);
/**
 * What root must lose, or it reaches round: handles of files, modules, raw memory and disks, other processes, administration, device
 * nodes, kernel programs. With `perfmon` or `sysAdmin` a process may read the memory of any other, whatever Landlock says.
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
const PR_CAPBSET_DROP = 24;
const SCOPE_ABSTRACT_SOCKETS = 1n << 0n;
const SCOPE_SIGNALS = 1n << 1n;

interface Library {
  readonly errno: () => number;
  readonly names: Readonly<Record<string, number>>;
  readonly syscall: (number: number, ...rest: unknown[]) => number;
  readonly prctl: (option: number, a: number, b: number, c: number, d: number) => number;
}

let loaded: Library | null | undefined;

function findLibrary(): Library | null {
  if (loaded !== undefined) return loaded;
  const libc = openCLibrary();
  if (!libc) return (loaded = null);
  return (loaded = {
    errno: () => libc.errno(),
    names: libc.errorNumbers,
    syscall: libc.func("long syscall(long number, ...)"),
    prctl: libc.func("int prctl(int, ulong, ulong, ulong, ulong)"),
  });
}

/** Throws Error where there is none: then nothing may be called closed. */
function library(): Library {
  const found = findLibrary();
  if (!found) throw new Error("the kernel cannot be asked from here");
  return found;
}

/** The kernel's version of it; 0 where it has none, where none is switched on, and where the kernel cannot be asked. */
export function landlockAbi(): number {
  const found = findLibrary();
  if (!found) return 0;
  return Math.max(0, found.syscall(CREATE_RULESET, "void *", null, "size_t", 0, "uint32", ASK_VERSION));
}

/** Closes the paths for the calling thread and all that it becomes or starts, for ever. Throws Error with the step that failed. */
export function closePaths({ closed, readable }: ClosedPaths): void {
  const abi = landlockAbi();
  const ruleset = createRuleset(abi);
  const rights = rightsOf(abi);
  const targets = [...new Set(closed.flatMap(present))];
  for (const ancestor of ancestorsOf(targets)) {
    // Names can be listed everywhere: without that not even `ls /` works. What they name stays closed.
    allow(ruleset, ancestor, READ_DIR);
    for (const name of readdirSync(ancestor)) {
      const path = join(ancestor, name);
      const isAbove = targets.some((target) => target === path || target.startsWith(`${path}/`));
      if (!isAbove) allow(ruleset, path, rights);
    }
  }
  for (const file of readable) allow(ruleset, file, READ_FILE);
  restrict(ruleset);
  dropCapabilities();
}

/** Directories above the closed paths in which this user could otherwise make new names. */
export function frozenDirectories(
  closed: readonly string[],
  mayWrite: (directory: string) => boolean,
): string[] {
  return ancestorsOf([...new Set(closed.flatMap(present))]).filter(mayWrite);
}

function createRuleset(abi: number): number {
  const { fs, scoped } = { fs: rightsOf(abi), scoped: SCOPE_ABSTRACT_SOCKETS | SCOPE_SIGNALS };
  const attributes = Buffer.alloc(24);
  attributes.writeBigUInt64LE(fs, 0);
  if (abi >= SIGNALS_ABI) attributes.writeBigUInt64LE(scoped, 16);
  const size = abi >= SIGNALS_ABI ? 24 : abi >= NETWORK_ABI ? 16 : 8;
  const ruleset = library().syscall(CREATE_RULESET, "void *", attributes, "size_t", size, "uint32", 0);
  if (ruleset < 0) throw failed("landlock_create_ruleset");
  return ruleset;
}

function rightsOf(abi: number): bigint {
  const all = EXECUTE | WRITE_FILE | READ_FILE | READ_DIR | NAMES | TRUNCATE;
  return abi >= DEVICES_ABI ? all | IOCTL_DEV : all;
}

function allow(ruleset: number, path: string, rights: bigint): void {
  const place = openPlace(path);
  if (place === null) return;
  try {
    const { fd, isDirectory } = place;
    const fitting = isDirectory ? rights : rights & (EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV);
    const rule = Buffer.alloc(12);
    rule.writeBigUInt64LE(fitting, 0);
    rule.writeInt32LE(fd, 8);
    const added = library().syscall(
      ADD_RULE,
      ...["int", ruleset, "int", PATH_BENEATH, "void *", rule, "uint32", 0],
    );
    if (added !== 0) throw failed(`landlock_add_rule for ${path}`);
  } finally {
    closeSync(place.fd);
  }
}

/** Null for a link (what it names has a place of its own), and for what is gone or cannot be reached. */
function openPlace(path: string): { readonly fd: number; readonly isDirectory: boolean } | null {
  try {
    const found = lstatSync(path);
    if (found.isSymbolicLink()) return null;
    return { fd: openSync(path, O_PATH | constants.O_NOFOLLOW), isDirectory: found.isDirectory() };
  } catch {
    return null;
  }
}

function restrict(ruleset: number): void {
  const { syscall, prctl } = library();
  const tried = (): number => syscall(RESTRICT_SELF, "int", ruleset, "uint32", 0);
  // A privileged process keeps what `sudo` and the like need; any other has to give that up first.
  if (tried() === 0) return;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) !== 0) throw failed("prctl(PR_SET_NO_NEW_PRIVS)");
  if (tried() !== 0) throw failed("landlock_restrict_self");
}

/** From the next `execve` on. Nobody but a privileged process has them, and no other may drop them. */
function dropCapabilities(): void {
  const { prctl } = library();
  for (const capability of Object.values(CAPABILITIES))
    if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) !== 0 && process.getuid?.() === 0)
      throw failed(`dropping capability ${capability}`);
}

/** By its real name; nothing where there is nothing: that cannot be closed, and nobody may make it in a frozen directory. */
function present(path: string): string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
}

/** Every directory above a closed path, the root first. */
function ancestorsOf(paths: readonly string[]): string[] {
  const found = new Set<string>();
  for (const path of paths) for (let at = dirname(path); !found.has(at); at = dirname(at)) found.add(at);
  const isClosed = (directory: string): boolean =>
    paths.some((path) => directory === path || directory.startsWith(`${path}/`));
  return [...found].filter((directory) => !isClosed(directory)).sort();
}

function failed(step: string): Error {
  return new Error(`${step} failed: ${nameOf(library().errno())}`);
}

function nameOf(errno: number): string {
  const found = Object.entries(library().names).find(([, value]) => value === errno);
  return found?.[0] ?? `error ${errno}`;
}
