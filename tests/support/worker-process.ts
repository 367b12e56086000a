/**
 * The process of all fake workers of a test file. The hub believes only the kernel, so that a worker must be a process; and were it
 * ours, the commands that a test starts would be those of a supervised tool.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readProcessStartTime } from "../../src/observe/process-life.js";

export interface WorkerProcess {
  readonly pid: number;
  readonly pidStartTime: string | null;
}

interface Made extends WorkerProcess {
  readonly socket: string;
}

const PROGRAM = join(import.meta.dirname, "../fixtures/speaks-for-workers.mjs");
/** A busy machine takes a second to start a program. */
const READY_WITHIN_MS = 10_000;

let made: Made | null = null;

/** Started by the first worker; ends with us. */
export function workerProcess(): WorkerProcess {
  made ??= start();
  const { pid, pidStartTime } = made;
  return { pid, pidStartTime };
}

function start(): Made {
  const folder = mkdtempSync(join(tmpdir(), "atb-worker-"));
  const socket = join(folder, "worker.sock");
  const child = spawn(process.execPath, [PROGRAM, socket], { stdio: ["pipe", "ignore", "inherit"] });
  child.unref();
  (child.stdin as Socket | null)?.unref();
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  if (child.pid === undefined) throw new Error("the workers' process could not be started");
  return { socket, pid: child.pid, pidStartTime: readProcessStartTime(child.pid) };
}

/** A connection of that process to the socket at `path`. Rejects where nobody listens there. */
export async function dialFrom(process: WorkerProcess, path: string): Promise<Socket> {
  if (made?.pid !== process.pid) throw new Error("it is not the process of the fake workers");
  const socket = await reach(made.socket);
  socket.write(`${path}\n`);
  const [answer] = await new Promise<[Buffer | null]>((resolve) => {
    socket.once("data", (bytes: Buffer) => resolve([bytes])).once("close", () => resolve([null]));
  });
  if (answer?.toString() !== "+") throw new Error("ECONNREFUSED");
  return socket;
}

async function reach(path: string): Promise<Socket> {
  for (const deadline = Date.now() + READY_WITHIN_MS; ;) {
    const socket = connect(path);
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    });
    if (isOpen) return socket.on("error", () => undefined);
    if (Date.now() > deadline) throw new Error("the workers' process does not listen");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
