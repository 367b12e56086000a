/** Where everything lies, and where the hub listens (ADR 5). */
import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { ownHome, ownUid } from "./own-user.js";

/** `sun_path` holds 108 bytes on Linux and 104 on macOS, and Node silently cuts longer ones; 100 leaves room for the NUL. */
export const SOCKET_PATH_BYTES_MAX = 100;

export interface Paths {
  /** ATLASBRIDGE_HOME made absolute (or what stands in for it), or null with XDG paths. */
  readonly home: string | null;
  readonly configDir: string;
  readonly dataDir: string;
  readonly config: string;
  /** Adapter files of the user. */
  readonly adaptersDir: string;
  /** Prompt Lab scenarios of the user. */
  readonly scenariosDir: string;
  readonly database: string;
  /** Locked for life by the one hub. */
  readonly hubLock: string;
  readonly auditKey: string;
  readonly capturedScenariosDir: string;
  readonly logsDir: string;
  readonly hubLog: string;
  /** Names the socket of the hub that serves: an environment with another TMPDIR or XDG_RUNTIME_DIR finds it all the same. */
  readonly hubAddress: string;
  /** By it the hub and those who call it know one another. */
  readonly hubSecret: string;
  /** There while a hub is on its way up: whoever else misses one waits for it. */
  readonly hubStarting: string;
  /** There after `hub stop`: when that was, and the sessions that went on without a hub. */
  readonly hubStopped: string;
  /** Where a hub started in this environment listens. */
  readonly socket: string;
}

/** What paths depend on; the defaults are this process's own. */
export interface PathSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Null for a user without an account and HOME. */
  readonly userHome: string | null;
  readonly tmpDir: string;
  readonly uid: number;
}

function ownSurroundings(): PathSurroundings {
  return { env: process.env, userHome: ownHome(), tmpDir: tmpdir(), uid: ownUid() };
}

/** All paths. Touches no disk. */
export function resolvePaths(from: PathSurroundings = ownSurroundings()): Paths {
  const home = homeOf(from);
  const configDir = home ?? join(xdg(from, "XDG_CONFIG_HOME", ".config"), "atlasbridge");
  const dataDir = home ?? join(xdg(from, "XDG_DATA_HOME", ".local/share"), "atlasbridge");
  const logsDir = join(dataDir, "logs");
  return {
    home,
    configDir,
    dataDir,
    config: join(configDir, "config.yaml"),
    adaptersDir: join(configDir, "adapters"),
    scenariosDir: join(configDir, "scenarios"),
    database: join(dataDir, "atlasbridge.db"),
    hubLock: join(dataDir, "hub.lock.db"),
    hubAddress: join(dataDir, "hub.address"),
    hubSecret: join(dataDir, "hub.secret"),
    hubStarting: join(dataDir, "hub.starting"),
    hubStopped: join(dataDir, "hub.stopped"),
    auditKey: join(dataDir, "audit.key"),
    capturedScenariosDir: join(dataDir, "captured_scenarios"),
    logsDir,
    hubLog: join(logsDir, "hub.log"),
    socket: socketPath(from, home, dataDir),
  };
}

/** One directory for all: where the user wants that, and where there is no other place. */
function homeOf({ env, userHome, tmpDir, uid }: PathSurroundings): string | null {
  if (env.ATLASBRIDGE_HOME) return resolve(env.ATLASBRIDGE_HOME);
  // Directly below TMPDIR, where only its owner can move it; as any other home it is refused when it is somebody else's.
  return userHome === null ? join(tmpDir, `atlasbridge-home-${uid}`) : null;
}

/** The XDG specification tells us to ignore relative values. */
function xdg(from: PathSurroundings, name: string, fallback: string): string {
  const value = from.env[name];
  return value && isAbsolute(value) ? value : join(from.userHome ?? "/", fallback);
}

function socketPath(from: PathSurroundings, home: string | null, dataDir: string): string {
  const runtimeDir = from.env.XDG_RUNTIME_DIR;
  const near = home ?? (runtimeDir && isAbsolute(runtimeDir) ? join(runtimeDir, "atlasbridge") : null);
  const name = `${createHash("sha256").update(dataDir).digest("hex").slice(0, 16)}.sock`;
  const own = `atlasbridge-${from.uid}`;
  const wanted = [near && join(near, "hub.sock"), join(from.tmpDir, own, name)];
  const fitting = wanted.find((path) => path !== null && Buffer.byteLength(path) <= SOCKET_PATH_BYTES_MAX);
  // A TMPDIR too deep for any socket: /tmp is short and everywhere, and the directory is checked all the same.
  return fitting ?? join("/tmp", own, name);
}
