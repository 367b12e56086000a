/** Where everything lies (design §9 "Configuration and files") and where the hub listens (design §3 "Socket"). */
import { createHash } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync } from "node:fs";
import { homedir, tmpdir, userInfo } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { AtlasBridgeError } from "../model/errors.js";

/** `sun_path` holds 108 bytes on Linux and 104 on macOS, and Node silently cuts longer ones; 100 leaves room for the NUL. */
export const SOCKET_PATH_BYTES_MAX = 100;

export interface Paths {
  /** ATLASBRIDGE_HOME made absolute, or null with XDG paths. */
  readonly home: string | null;
  readonly configDir: string;
  readonly dataDir: string;
  readonly config: string;
  readonly policy: string;
  /** Adapter files of the user. */
  readonly adaptersDir: string;
  readonly database: string;
  /** Locked for life by the one hub. */
  readonly hubLock: string;
  readonly auditKey: string;
  readonly capturedScenariosDir: string;
  readonly logsDir: string;
  readonly hubLog: string;
  /** Where a hub started in this environment listens. */
  readonly socket: string;
}

/** What paths depend on; the defaults are this process's own. */
export interface PathSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
  readonly tmpDir: string;
  readonly uid: number;
}

function ownSurroundings(): PathSurroundings {
  return { env: process.env, userHome: homedir(), tmpDir: tmpdir(), uid: userInfo().uid };
}

/** All paths. Touches no disk. */
export function resolvePaths(from: PathSurroundings = ownSurroundings()): Paths {
  const home = from.env.ATLASBRIDGE_HOME ? resolve(from.env.ATLASBRIDGE_HOME) : null;
  const configDir = home ?? join(xdg(from, "XDG_CONFIG_HOME", ".config"), "atlasbridge");
  const dataDir = home ?? join(xdg(from, "XDG_DATA_HOME", ".local/share"), "atlasbridge");
  const logsDir = join(dataDir, "logs");
  return {
    home,
    configDir,
    dataDir,
    config: join(configDir, "config.yaml"),
    policy: join(configDir, "policy.yaml"),
    adaptersDir: join(configDir, "adapters"),
    database: join(dataDir, "atlasbridge.db"),
    hubLock: join(dataDir, "hub.lock.db"),
    auditKey: join(dataDir, "audit.key"),
    capturedScenariosDir: join(dataDir, "captured_scenarios"),
    logsDir,
    hubLog: join(logsDir, "hub.log"),
    socket: socketPath(from, home, dataDir),
  };
}

/** The XDG specification tells us to ignore relative values. */
function xdg(from: PathSurroundings, name: string, fallback: string): string {
  const value = from.env[name];
  return value && isAbsolute(value) ? value : join(from.userHome, fallback);
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

const OTHERS_MAY_WRITE = 0o022;
const OTHERS_MAY_ANYTHING = 0o077;

/**
 * Makes the directory (0700, parents too) or checks the one that is there: ours, no symlink, closed to others. One of ours that
 * others could only read is closed; one that they could write to may hold planted files and is refused. Errors: ATB_SOCKET_UNSAFE.
 */
export function ensurePrivateDirectory(path: string, uid: number = userInfo().uid): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const found = lstatSync(path);
  if (found.isSymbolicLink()) throw unsafe(path, "is a symbolic link");
  if (found.uid !== uid) throw unsafe(path, `belongs to user ${found.uid}, not to ${uid}`);
  if (found.mode & OTHERS_MAY_WRITE) throw unsafe(path, "may be written to by others");
  if (found.mode & OTHERS_MAY_ANYTHING) chmodSync(path, 0o700);
}

function unsafe(path: string, problem: string): AtlasBridgeError {
  return new AtlasBridgeError("ATB_SOCKET_UNSAFE", `the directory ${path} ${problem}`, {
    hint: `It must be a real directory of yours with mode 0700. Remove or repair ${path}, or set ATLASBRIDGE_HOME to another place.`,
  });
}

/** The directories a hub needs, made or checked before it opens anything in them. */
export function ensureHubDirectories(paths: Paths): void {
  for (const path of [paths.dataDir, paths.logsDir, dirname(paths.socket)]) ensurePrivateDirectory(path);
}
