/**
 * Controls the process that we started in a terminal, which is the tool itself or the shell that does job control for it: signals,
 * stops, end.
 */
import { readFileSync } from "node:fs";
import { constants as os } from "node:os";
import { attempt } from "../../model/data/attempt.js";
import { isProcessStopped } from "../../observe/process-life.js";
import type { TerminalExit } from "./terminal.js";

/** A shell reports a signal that ended its job as an exit code above this number. */
export const SIGNAL_CODE_BASE = 128;

export class ToolProcess {
  readonly pid: number;
  readonly #underShell: boolean;
  readonly #stopListeners = new Set<() => void>();
  #isStopped = false;
  /** The number of a reaped process may already belong to another one. */
  #isReaped = false;

  constructor(pid: number, underShell: boolean) {
    this.pid = pid;
    this.#underShell = underShell;
  }

  signal(signal: NodeJS.Signals): boolean {
    if (this.#isReaped) return false;
    // A tool that is not yet leader of its group is reached by its own number.
    const tool = this.#findToolPid();
    const sent = sendSignal(-tool, signal) || sendSignal(tool, signal);
    // A stopped process acts on no signal except SIGKILL.
    if (this.#isStopped) this.wake();
    return sent;
  }

  stop(): boolean {
    // Only Linux reports a stop. Without a shell the kernel drops a request to stop (SIGTSTP), but not SIGSTOP.
    return process.platform === "linux" && this.signal(this.#underShell ? "SIGTSTP" : "SIGSTOP");
  }

  onStop(listener: () => void): () => void {
    if (this.#stopListeners.size === 0) process.on("SIGCHLD", this.#checkStop);
    this.#stopListeners.add(listener);
    // It may have stopped before there was a listener.
    queueMicrotask(this.#checkStop);
    return () => {
      this.#stopListeners.delete(listener);
      if (this.#stopListeners.size === 0) process.off("SIGCHLD", this.#checkStop);
    };
  }

  wake(): void {
    if (this.#isReaped || !this.#isStopped) return;
    this.#isStopped = false;
    sendSignal(-this.pid, "SIGCONT");
  }

  /** Call when it was reaped, with the result of `waitpid`. From then on its number means nothing. */
  markReaped(code: number, signal: number): TerminalExit {
    this.#isReaped = true;
    process.off("SIGCHLD", this.#checkStop);
    const number = signal || (this.#underShell ? decodeSignal(code) : 0);
    if (number === 0) return { exitCode: code, signal: null, signalName: null };
    return { exitCode: null, signal: number, signalName: findSignalName(number) ?? null };
  }

  readonly #checkStop = (): void => {
    if (this.#isReaped || this.#isStopped || !isProcessStopped(this.pid)) return;
    this.#isStopped = true;
    for (const listener of this.#stopListeners) listener();
  };

  /** Finds the tool. Under a shell it is the one child, and leads a group of its own. Until it exists, the shell is used instead. */
  #findToolPid(): number {
    if (!this.#underShell) return this.pid;
    try {
      const children = readFileSync(`/proc/${this.pid}/task/${this.pid}/children`, "utf8");
      return Number.parseInt(children, 10) || this.pid;
    } catch {
      return this.pid;
    }
  }
}

/** Finds the signal in a shell's exit code; 0 when the code is just a number. A tool that exits with such a code looks the same. */
function decodeSignal(code: number): number {
  return code > SIGNAL_CODE_BASE && findSignalName(code - SIGNAL_CODE_BASE) ? code - SIGNAL_CODE_BASE : 0;
}

function findSignalName(number: number): NodeJS.Signals | undefined {
  const found = Object.entries(os.signals).find(([, value]) => value === number);
  return found?.[0] as NodeJS.Signals | undefined;
}

function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  return attempt(() => process.kill(pid, signal), false);
}
