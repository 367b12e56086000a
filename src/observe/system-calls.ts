import { createRequire } from "node:module";
import { join } from "node:path";
import { findAddonFile } from "./addon-file.js";

/** Recorded when the peer connected or began to listen. */
export interface Credentials {
  /** 0 if that process is not visible to this one (another container). */
  readonly pid: number;
  readonly uid: number;
}

export interface NativeCalls {
  /** Null if it is not a connected Unix socket. */
  getCredentials(fd: number): Credentials | null;
  /** Orphaned descendants become our children. */
  adoptOrphans(): boolean;
  /** Only root may read or write our memory or take our open files. */
  closeMemory(): boolean;
  /** Lowers our soft and hard limit of file locks; our children inherit them. */
  limitFileLocks(count: number): boolean;
  /** Collects a child that has exited. */
  collect(pid: number): void;
}

/** The same on every Linux, except for MIPS and SPARC. */
const SOL_SOCKET = 1;
const SO_PEERCRED = 17;
const PR_SET_DUMPABLE = 4;
const PR_SET_CHILD_SUBREAPER = 36;
const RLIMIT_LOCKS = 10;
const WNOHANG = 1;
/** `struct ucred`: pid, uid and gid, 32 bits each. */
const UCRED_BYTES = 12;

const GETSOCKOPT =
  "int getsockopt(int fd, int level, int name, _Out_ uint8_t *value, _Inout_ uint32_t *length)";
const PRCTL = "int prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d)";
const SETRLIMIT = "int setrlimit(int resource, const unsigned long *softAndHard)";
const WAITPID = "int waitpid(int pid, void *status, int options)";

type SystemCall = (...values: readonly unknown[]) => number;
interface KoffiAddon {
  load(library: null): { func(prototype: string): SystemCall };
  errno(): number;
  readonly os: { readonly errno: Readonly<Record<string, number>> };
}

export interface CLibrary {
  func(prototype: string): SystemCall;
  /** The errno of this thread's last call. */
  errno(): number;
  readonly errorNumbers: Readonly<Record<string, number>>;
}

let loaded: KoffiAddon | undefined;
let found: NativeCalls | null | undefined;

/** Loaded on first use in 1 to 2 ms. Null on other systems, or without the addon. */
export function getNativeCalls(): NativeCalls | null {
  return (found ??= process.platform === "linux" ? open() : null);
}

function open(): NativeCalls | null {
  try {
    return bind(loadAddon());
  } catch {
    return null;
  }
}

/** Null on other systems, or without the addon. */
export function openCLibrary(): CLibrary | null {
  if (process.platform !== "linux") return null;
  try {
    const addon = loadAddon();
    const libc = addon.load(null);
    return {
      func: (prototype) => libc.func(prototype),
      errno: () => addon.errno(),
      errorNumbers: addon.os.errno,
    };
  } catch {
    return null;
  }
}

function bind(addon: KoffiAddon): NativeCalls {
  const libc = addon.load(null);
  const getsockopt = libc.func(GETSOCKOPT);
  const prctl = libc.func(PRCTL);
  const setrlimit = libc.func(SETRLIMIT);
  const waitpid = libc.func(WAITPID);
  return {
    getCredentials: (fd) => {
      const credentials = Buffer.alloc(UCRED_BYTES);
      if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, credentials, [UCRED_BYTES]) !== 0) return null;
      return { pid: credentials.readInt32LE(0), uid: credentials.readUInt32LE(4) };
    },
    adoptOrphans: () => prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) === 0,
    closeMemory: () => prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) === 0,
    limitFileLocks: (count) => setrlimit(RLIMIT_LOCKS, [count, count]) === 0,
    collect: (pid) => void waitpid(pid, null, WNOHANG),
  };
}

function loadAddon(): KoffiAddon {
  return (loaded ??= findAddon());
}

/** Loads the binary alone, which takes 2 ms: the addon's own JavaScript searches for 8 to 13 ms, and Node's resolution takes 2 to 4. */
function findAddon(): KoffiAddon {
  try {
    const place = `linux_${process.arch}`;
    const file = findAddonFile("koffi", join(place, "koffi.node"), `@koromix/koffi-linux-${process.arch}`);
    const module = { exports: {} as KoffiAddon };
    process.dlopen(module, file ?? "");
    return module.exports;
  } catch {
    // Another C library or package layout.
    return createRequire(import.meta.filename)("koffi") as KoffiAddon;
  }
}
