/** A tool that speaks over pipes, in a process group of its own: its ends, and the end of all that it started. */
import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { constants as os } from "node:os";
import type { Readable, Writable } from "node:stream";
import { cannotStart, findExecutable } from "./executable.js";
import { adoptOrphans } from "./orphans.js";
import type { TerminalExit } from "./terminal.js";

/** What a tool said last on stderr; enough for its own words on why it ended. */
const STDERR_BYTES_MAX = 8 * 1024;
/** What is in the pipe when a tool ends comes at once; a process that it left behind may hold the pipe open for ever. */
const TAIL_WITHIN_MS = 250;

export interface PipedOptions {
  /** The executable as typed and its arguments. */
  readonly command: readonly string[];
  /** The tool's whole environment (see `childEnvironment`). */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

export interface PipedProcess {
  readonly pid: number;
  readonly alive: boolean;
  readonly input: Writable;
  readonly output: Readable;
  /** The latest of what it wrote on stderr. */
  readonly complaint: string;
  /** Resolves once the tool is reaped and its last output was handed out. What it has started is killed by then. Never rejects. */
  readonly exited: Promise<TerminalExit>;
  /** Sends a signal to the tool's whole process group. False when it is gone. */
  kill(signal: NodeJS.Signals): boolean;
}

/** Starts the tool at once. Errors: ATB_TOOL_NOT_FOUND, ATB_TOOL_START_FAILED. */
export function openPiped({ command, env, cwd }: PipedOptions): PipedProcess {
  const [name = "", ...args] = command;
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory())
    throw cannotStart(`the working directory ${cwd} is not there`, "Start from an existing directory.");
  const file = findExecutable(name, { path: env["PATH"], cwd });
  adoptOrphans();
  const child = spawn(file, args, { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"], argv0: name });
  child.on("error", () => undefined);
  const { pid } = child;
  if (pid === undefined) throw cannotStart(`${file} could not be started`, "Too many processes?");
  let complaint = Buffer.alloc(0);
  child.stderr.on("data", (bytes: Buffer) => {
    complaint = Buffer.concat([complaint, bytes]).subarray(-STDERR_BYTES_MAX);
  });
  // A tool that is gone takes nothing more; that it is gone is told by `exited`.
  child.stdin.on("error", () => undefined);
  let alive = true;
  const exited = new Promise<TerminalExit>((resolve) => {
    child.once("exit", (exitCode, signalName) => {
      alive = false;
      // Wrappers die and leave the real tool behind: the group goes as one.
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
    get complaint() {
      return complaint.toString();
    },
    exited,
    kill: (signal) => alive && signalGroup(pid, signal),
  };
}

function signalGroup(leader: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(-leader, signal);
  } catch {
    return false;
  }
}
