/** The way to the hub's socket, and starting a hub where there is none. Used by workers and by clients. */
import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { connect, type Socket } from "node:net";

/** Connects to a Unix socket. Rejects with the system's error (ENOENT, ECONNREFUSED: nobody serves). */
export function dial(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.off("error", reject);
      resolve(socket);
    });
  });
}

export interface HubCommand {
  /** What starts a hub in its own process: executable, then arguments. */
  readonly command: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Gets all that the process prints. */
  readonly logFile: string;
}

/** This program, as it was started, with other arguments: works for the bundle and for the sources under a loader. */
export function ownCommand(args: readonly string[]): string[] {
  return [process.execPath, ...process.execArgv, process.argv[1] ?? "", ...args];
}

/**
 * Starts a hub that outlives us: own session, no terminal, working directory `/` so that it holds no mount busy. That it started
 * is learnt by connecting to it; where another hub serves it ends at once.
 */
export function spawnHub({ command, env, logFile }: HubCommand): ChildProcess {
  const [file = process.execPath, ...args] = command;
  const log = openSync(logFile, "a", 0o600);
  try {
    const child = spawn(file, args, { cwd: "/", detached: true, env, stdio: ["ignore", log, log] });
    child.on("error", () => undefined);
    child.unref();
    return child;
  } finally {
    closeSync(log);
  }
}
