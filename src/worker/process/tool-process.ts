/** The process that we started in a terminal, the tool itself or the shell that keeps its jobs: signals, stops, end. */
import { readFileSync } from "node:fs";
import { constants as os } from "node:os";
import { isProcessStopped } from "../../observe/process-life.js";
import type { TerminalExit } from "./terminal.js";

/** A shell tells a signal that ended its job in the exit code, from here upwards. */
const SIGNAL_CODE_BASE = 128;

export class ToolProcess {
  readonly pid: number;
  readonly #underShell: boolean;
  readonly #stopListeners = new Set<() => void>();
  #stopped = false;
  /** The number of a reaped process may belong to another one already. */
  #reaped = false;

  constructor(pid: number, underShell: boolean) {
    this.pid = pid;
    this.#underShell = underShell;
  }

  /** See `Terminal.kill`. */
  signal(signal: NodeJS.Signals): boolean {
    if (this.#reaped) return false;
    // A tool that has not become leader of its group yet is reached by its own number.
    const tool = this.#toolPid();
    const sent = send(-tool, signal) || send(tool, signal);
    // Who is stopped acts on no signal but SIGKILL.
    if (this.#stopped) this.wake();
    return sent;
  }

  /** See `Terminal.stop`. */
  stop(): boolean {
    // Only Linux tells us of a stop; and without a shell the kernel drops a request to stop, but not the order.
    return process.platform === "linux" && this.signal(this.#underShell ? "SIGTSTP" : "SIGSTOP");
  }

  /** See `Terminal.onStop`. */
  onStop(listener: () => void): () => void {
    if (this.#stopListeners.size === 0) process.on("SIGCHLD", this.#look);
    this.#stopListeners.add(listener);
    // It may have stopped before anybody listened.
    queueMicrotask(this.#look);
    return () => {
      this.#stopListeners.delete(listener);
      if (this.#stopListeners.size === 0) process.off("SIGCHLD", this.#look);
    };
  }

  /** See `Terminal.wake`. */
  wake(): void {
    if (this.#reaped || !this.#stopped) return;
    this.#stopped = false;
    send(-this.pid, "SIGCONT");
  }

  /** It was reaped, with what `waitpid` told. From now on its number means nothing. */
  reaped(code: number, signal: number): TerminalExit {
    this.#reaped = true;
    process.off("SIGCHLD", this.#look);
    const number = signal || (this.#underShell ? signalIn(code) : 0);
    if (number === 0) return { exitCode: code, signal: null, signalName: null };
    return { exitCode: null, signal: number, signalName: signalName(number) ?? null };
  }

  readonly #look = (): void => {
    if (this.#reaped || this.#stopped || !isProcessStopped(this.pid)) return;
    this.#stopped = true;
    for (const listener of this.#stopListeners) listener();
  };

  /** Under a shell the tool is its one child, and leads a group of its own. Until it is there, the shell stands for it. */
  #toolPid(): number {
    if (!this.#underShell) return this.pid;
    try {
      const children = readFileSync(`/proc/${this.pid}/task/${this.pid}/children`, "utf8");
      return Number.parseInt(children, 10) || this.pid;
    } catch {
      return this.pid;
    }
  }
}

/** The signal that a shell's exit code speaks of; 0 when it is just a number. A tool that exits with such a code claims the same. */
function signalIn(code: number): number {
  return code > SIGNAL_CODE_BASE && signalName(code - SIGNAL_CODE_BASE) ? code - SIGNAL_CODE_BASE : 0;
}

function signalName(number: number): NodeJS.Signals | undefined {
  const found = Object.entries(os.signals).find(([, value]) => value === number);
  return found?.[0] as NodeJS.Signals | undefined;
}

function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
