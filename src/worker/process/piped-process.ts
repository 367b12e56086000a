/** Starts a tool that is talked to over pipes, in its own process group, and ends everything that it started. */
import { spawn } from "node:child_process";
import { constants as os } from "node:os";
import type { Readable, Writable } from "node:stream";
import { attempt } from "../../model/data/attempt.js";
import type { ToolHealth } from "../../sdk/adapter.js";
import { checkFolder, createStartError, findExecutable } from "./executable.js";
import { adoptOrphans } from "./orphans.js";
import type { TerminalExit } from "./terminal.js";

/** How much of the latest stderr output is kept: enough for the tool's own words on why it ended. */
const STDERR_BYTES_MAX = 8 * 1024;
/** Output that is in the pipe when a tool ends comes at once. A process that the tool left behind may hold the pipe open forever. */
const TAIL_WITHIN_MS = 250;

export interface PipedOptions {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

export interface PipedProcess {
  readonly pid: number;
  readonly alive: boolean;
  readonly input: Writable;
  readonly output: Readable;
  readonly stderrTail: string;
  /** Resolves once the tool is reaped and its last output was handed out. By then everything that it started is killed. Never rejects. */
  readonly exited: Promise<TerminalExit>;
  /** Sends a signal to the tool's whole process group. False when it is gone. */
  kill(signal: NodeJS.Signals): boolean;
  checkHealth(): ToolHealth;
}

/** Starts the tool at once. Errors: ATB_TOOL_NOT_FOUND, ATB_TOOL_START_FAILED. */
export function openPiped({ command, env, cwd }: PipedOptions): PipedProcess {
  const [name = "", ...args] = command;
  checkFolder(cwd);
  const file = findExecutable(name, { path: env["PATH"], cwd });
  adoptOrphans();
  const child = spawn(file, args, { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"], argv0: name });
  child.on("error", () => undefined);
  const { pid } = child;
  if (pid === undefined) throw createStartError(`${file} could not be started`, "Too many processes?");
  let stderrTail = Buffer.alloc(0);
  child.stderr.on("data", (bytes: Buffer) => {
    stderrTail = Buffer.concat([stderrTail, bytes]).subarray(-STDERR_BYTES_MAX);
  });
  // A tool that has ended accepts no input; `exited` reports its end.
  child.stdin.on("error", () => undefined);
  let alive = true;
  const exited = new Promise<TerminalExit>((resolve) => {
    child.once("exit", (exitCode, signalName) => {
      alive = false;
      // Wrappers die and leave the real tool behind, so the whole group is killed.
      signalGroup(pid, "SIGKILL");
      const signal = signalName === null ? null : os.signals[signalName];
      const tell = (): void => resolve({ exitCode, signal, signalName });
      const timer = setTimeout(() => void child.stdout.destroy(), TAIL_WITHIN_MS);
      child.stdout.once("close", () => {
        clearTimeout(timer);
        tell();
      });
      if (child.stdout.closed) child.stdout.emit("close");
    });
  });
  return {
    pid,
    get alive() {
      return alive;
    },
    input: child.stdin,
    output: child.stdout,
    get stderrTail() {
      return stderrTail.toString();
    },
    exited,
    kill: (signal) => alive && signalGroup(pid, signal),
    // How long a pipe has been full is not known.
    checkHealth: () => ({
      isOpen: child.stdin.writable,
      isRead: child.stdout.readable,
      inputWaitsMs: 0,
    }),
  };
}

function signalGroup(leader: number, signal: NodeJS.Signals): boolean {
  return attempt(() => process.kill(-leader, signal), false);
}
