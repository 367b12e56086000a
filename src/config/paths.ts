/** The location of all files, and of the hub's socket (ADR 5). */
import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { findOwnHome, getOwnUid } from "./own-user.js";

/** `sun_path` holds 108 bytes on Linux and 104 on macOS, and Node silently truncates longer ones; 100 leaves room for the NUL. */
export const SOCKET_PATH_BYTES_MAX = 100;

export interface Paths {
  /** The absolute ATLASBRIDGE_HOME (or its substitute); null with XDG paths. */
  readonly home: string | null;
  readonly configDir: string;
  readonly dataDir: string;
  readonly config: string;
  readonly policy: string;
  readonly adaptersDir: string;
  /** Names the adapter files of the user that may be run (`agreed-files.ts`). */
  readonly agreedAdapters: string;
  readonly bundlesDir: string;
  readonly scenariosDir: string;
  /** The configuration as a run has checked it, for the next run. */
  readonly checkedConfig: string;
  readonly database: string;
  /** Locked by the one hub for its life. */
  readonly hubLock: string;
  readonly auditKey: string;
  readonly capturedScenariosDir: string;
  /** Scripts, blocks and outputs of consoles: `run --isolate` closes them to all but the session's own tool. */
  readonly consolesDir: string;
  /** How dialogs were read, compared with the tools' own requests. */
  readonly readings: string;
  readonly logsDir: string;
  readonly hubLog: string;
  /** Names the running hub's socket: a process with another TMPDIR or XDG_RUNTIME_DIR still finds it. */
  readonly hubAddress: string;
  /** With it the hub and its callers authenticate each other. */
  readonly hubSecret: string;
  /** Exists while a hub is starting. */
  readonly hubStarting: string;
  /** Exists after `hub stop`, with the sessions that kept running. */
  readonly hubStopped: string;
  /** Which channels are connected. */
  readonly hubReach: string;
  readonly socket: string;
  /** Plugins that add hooks to a run, a folder for each tool. They hold no secret: `run --isolate` leaves them open. */
  readonly pluginsDir: string;
}

export interface PathSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Null for a user without an account and HOME. */
  readonly userHome: string | null;
  readonly tmpDir: string;
  readonly uid: number;
}

function getOwnSurroundings(): PathSurroundings {
  return { env: process.env, userHome: findOwnHome(), tmpDir: tmpdir(), uid: getOwnUid() };
}

export function resolvePaths(from: PathSurroundings = getOwnSurroundings()): Paths {
  const home = findHome(from);
  const configDir = home ?? join(resolveXdg(from, "XDG_CONFIG_HOME", ".config"), "atlasbridge");
  const dataDir = home ?? join(resolveXdg(from, "XDG_DATA_HOME", ".local/share"), "atlasbridge");
  const logsDir = join(dataDir, "logs");
  const socket = chooseSocketPath(from, home, dataDir);
  return {
    home,
    configDir,
    dataDir,
    config: join(configDir, "config.yaml"),
    policy: join(configDir, "policy.yaml"),
    adaptersDir: join(configDir, "adapters"),
    agreedAdapters: join(dataDir, "agreed-adapters.json"),
    bundlesDir: join(dataDir, "bundles"),
    scenariosDir: join(configDir, "scenarios"),
    checkedConfig: join(dataDir, "config.checked.json"),
    database: join(dataDir, "atlasbridge.db"),
    hubLock: join(dataDir, "hub.lock.db"),
    hubAddress: join(dataDir, "hub.address"),
    hubSecret: join(dataDir, "hub.secret"),
    hubStarting: join(dataDir, "hub.starting"),
    hubStopped: join(dataDir, "hub.stopped"),
    hubReach: join(dataDir, "hub.reach"),
    auditKey: join(dataDir, "audit.key"),
    capturedScenariosDir: join(dataDir, "captured_scenarios"),
    consolesDir: join(dataDir, "consoles"),
    readings: join(dataDir, "readings.jsonl"),
    logsDir,
    hubLog: join(logsDir, "hub.log"),
    socket,
    pluginsDir: join(dirname(socket), "plugins"),
  };
}

/** Null with XDG paths, which need a home directory. */
function findHome({ env, userHome, tmpDir, uid }: PathSurroundings): string | null {
  if (env.ATLASBRIDGE_HOME) return resolve(env.ATLASBRIDGE_HOME);
  // Only its owner can move it there. Another user's directory is refused.
  return userHome === null ? join(tmpDir, `atlasbridge-home-${uid}`) : null;
}

/** The XDG specification requires ignoring relative values. */
function resolveXdg(from: PathSurroundings, name: string, fallback: string): string {
  const value = from.env[name];
  return value && isAbsolute(value) ? value : join(from.userHome ?? "/", fallback);
}

function chooseSocketPath(from: PathSurroundings, home: string | null, dataDir: string): string {
  const runtimeDir = from.env.XDG_RUNTIME_DIR;
  const near = home ?? (runtimeDir && isAbsolute(runtimeDir) ? join(runtimeDir, "atlasbridge") : null);
  const fits = (path: string): boolean => Buffer.byteLength(path) <= SOCKET_PATH_BYTES_MAX;
  if (near !== null && fits(join(near, "hub.sock"))) return join(near, "hub.sock");
  // Hashing loads `crypto`, which takes 3 to 6 ms.
  const name = `${createHash("sha256").update(dataDir).digest("hex").slice(0, 16)}.sock`;
  const own = `atlasbridge-${from.uid}`;
  const wanted = join(from.tmpDir, own, name);
  // TMPDIR is too long for a socket; /tmp is short and always exists.
  return fits(wanted) ? wanted : join("/tmp", own, name);
}
