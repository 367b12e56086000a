/** One command of an agent in its own terminal. It takes no input, and its latest output is kept. */
import type { Clock } from "../../../../model/clock.js";
import { findExecutable } from "../../../process/executable.js";
import { openPty } from "../../../pty/pty.js";
import type { Terminal, TerminalExit } from "../../../process/terminal.js";
import { KeptOutput } from "./kept-output.js";

/** Wide enough for lines of test reports and compilers; no person sees it. */
const SIZE = { cols: 120, rows: 50 };
/** From asking a command to end to ending it. */
const KILL_GRACE_MS = 1000;
/** A program that reads sees the end of input at once, because nobody can type. */
const END_OF_INPUT = Uint8Array.of(4);
const SHELL = "/bin/sh";

export interface AgentTerminalOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly outputBytesMax: number;
  readonly clock: Clock;
}

export interface TerminalStatus {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

export class AgentTerminal {
  readonly #terminal: Terminal;
  readonly #output: KeptOutput;
  readonly #clock: Clock;
  readonly exited: Promise<TerminalStatus>;
  #status: TerminalStatus | null = null;

  /** Starts it at once. Errors: ATB_TOOL_NOT_FOUND, ATB_TOOL_START_FAILED. */
  constructor({ command, args, env, cwd, outputBytesMax, clock }: AgentTerminalOptions) {
    this.#clock = clock;
    this.#output = new KeptOutput(outputBytesMax);
    const words =
      args.length > 0 || isExecutable(command, env, cwd) ? [command, ...args] : [SHELL, "-c", command];
    this.#terminal = openPty({ command: words, env, cwd, size: SIZE, clock });
    this.#terminal.onData((chunk) => this.#output.push(chunk));
    void this.#terminal.write(END_OF_INPUT);
    this.exited = this.#terminal.exited.then((exit) => this.#onExit(exit));
  }

  /** Null while it runs. */
  get status(): TerminalStatus | null {
    return this.#status;
  }

  get output(): { readonly output: string; readonly truncated: boolean } {
    return { output: this.#output.read(), truncated: this.#output.truncated };
  }

  /** Ends it and all that it started; resolves when it has ended. */
  async kill(): Promise<void> {
    if (this.#status) return;
    this.#terminal.kill("SIGTERM");
    const stopTimer = this.#clock.after(KILL_GRACE_MS, () => void this.#terminal.kill("SIGKILL"));
    await this.exited;
    stopTimer();
  }

  /** Ends it now. */
  release(): void {
    this.#terminal.kill("SIGKILL");
    this.#terminal.close();
  }

  #onExit({ exitCode, signal, signalName }: TerminalExit): TerminalStatus {
    this.#output.end();
    this.#status = { exitCode, signal: signalName ?? (signal === null ? null : String(signal)) };
    return this.#status;
  }
}

/** A command without arguments may be a whole line for a shell. */
function isExecutable(command: string, env: Readonly<Record<string, string>>, cwd: string): boolean {
  try {
    return findExecutable(command, { path: env["PATH"], cwd }) !== "";
  } catch {
    return false;
  }
}
