/** Starts a tool in a pseudo-terminal and keeps every byte of it: see ADR 2 for why this edge is our own. */
import { closeSync, constants, openSync } from "node:fs";
import { isatty } from "node:tty";
import type { Clock } from "../../model/clock.js";
import { assertInvariant } from "../../model/errors.js";
import type { ToolHealth } from "../../sdk/adapter.js";
import { checkFolder, createStartError, findExecutable, INHERITED_FOLDER } from "../process/executable.js";
import { readInputMode } from "../process/descriptors/terminal-settings.js";
import { TerminalOpens } from "../process/descriptors/terminal-opens.js";
import { FdWriter } from "../process/fd-writer.js";
import { isolateStart, type Isolation } from "../process/isolation.js";
import { hasJobShell, wrapInJobShell, type ShellStart } from "./job-shell.js";
import { adoptOrphans, excludeFromCollection } from "../process/orphans.js";
import { loadPty } from "./pty-native.js";
import { countReadable, readSize } from "./pty-queue.js";
import { OutputReader } from "./output-reader.js";
import type {
  InputMode,
  Terminal,
  TerminalExit,
  TerminalQueues,
  TerminalSize,
  TerminalUse,
  WriteOptions,
} from "../process/terminal.js";
import { ToolProcess } from "../process/tool-process.js";

export interface PtyOptions {
  /** The executable as typed, and its arguments. */
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly size: TerminalSize;
  readonly clock: Clock;
  /** Initial settings of the tool's terminal, as `stty -g` prints them; null keeps the addon's. */
  readonly modes?: string | null;
  /** What the tool and everything that it starts cannot reach; null: it reaches what its user can. */
  readonly isolation?: Isolation | null;
}

/** Starts the tool at once. Errors: ATB_TOOL_NOT_FOUND, ATB_TOOL_START_FAILED. */
export function openPty(options: PtyOptions): Terminal {
  const { cwd, modes = null, isolation } = options;
  checkFolder(cwd);
  findExecutable(options.command[0] ?? "", { path: options.env["PATH"], cwd });
  const { command, env } = isolation ? isolateStart(options, cwd, isolation) : options;
  const [name = "", ...args] = command;
  adoptOrphans();
  // A shell would print on the terminal that it does not know its directory.
  const shell = cwd !== INHERITED_FOLDER && hasJobShell() ? wrapInJobShell({ command, env, modes }) : null;
  return shell ? new Pty(shell, options, true) : new Pty({ file: name, args, env }, options, false);
}

class Pty implements Terminal {
  readonly ptsPath: string | null;
  readonly exited: Promise<TerminalExit>;

  readonly #process: ToolProcess;
  readonly #fd: number;
  readonly #reader: OutputReader;
  readonly #writer: FdWriter;
  /** Our own descriptor of the tool's side. While it is open, a hang-up cannot discard unread output. */
  #slaveFd: number | null = null;
  #opens: TerminalOpens | null = null;
  #alive = true;
  /** Read at the last moment at which the kernel still reports it. */
  #queuesAtEnd: TerminalQueues | null = null;

  constructor({ file, args, env }: ShellStart, { cwd, size, clock }: PtyOptions, underShell: boolean) {
    const { native, helperPath } = loadPty();
    const environment = Object.entries(env).map(([key, value]) => `${key}=${value}`);
    let onExit: (code: number, signal: number) => void = () => undefined;
    this.exited = new Promise(
      (resolve) => (onExit = (code, signal) => this.#finish(this.#process.markReaped(code, signal), resolve)),
    );
    try {
      const { cols, rows } = size;
      // The user and group stay. `true` tells the kernel's line editor that a character may be several bytes.
      const child = native.fork(
        file,
        args,
        environment,
        cwd,
        cols,
        rows,
        -1,
        -1,
        true,
        helperPath,
        (code, signal) => onExit(code, signal),
      );
      this.#fd = child.fd;
      this.#process = new ToolProcess(child.pid, underShell);
      const collected = excludeFromCollection(child.pid);
      void this.exited.then(collected);
      this.ptsPath = child.pty || null;
    } catch (cause) {
      throw createStartError("no pseudo-terminal could be opened", "Too many terminals or processes?", cause);
    }
    this.#slaveFd = holdOpen(this.ptsPath);
    this.#writer = new FdWriter(this.#fd, clock);
    this.#reader = new OutputReader(this.#fd, () => this.close());
  }

  get pid(): number {
    return this.#process.pid;
  }

  get alive(): boolean {
    return this.#alive;
  }

  get pendingBytes(): number {
    return this.#writer.pendingBytes;
  }

  onData(listener: (chunk: Uint8Array) => void): () => void {
    return this.#reader.onData(listener);
  }

  showFirst(show: (piece: Uint8Array) => void, interruptedBy: readonly number[] = []): void {
    this.#reader.showFirst(show, interruptedBy);
  }

  readNow(): boolean {
    return this.#reader.readNow();
  }

  readQueues(): TerminalQueues | null {
    if (!this.#alive || this.#slaveFd === null) return this.#queuesAtEnd;
    const [input, output] = [countReadable(this.#slaveFd), countReadable(this.#fd)];
    return input === null || output === null ? null : { input, output };
  }

  readInputMode(): InputMode | null {
    return this.#slaveFd === null ? null : readInputMode(this.#slaveFd);
  }

  readUse(): TerminalUse {
    if (!this.#alive) return { isOpened: false, isWritten: false };
    return (this.#opens ??= new TerminalOpens(this.ptsPath)).read();
  }

  write(bytes: Uint8Array, options?: WriteOptions): Promise<number> {
    return this.#writer.write(bytes, options);
  }

  drained(): Promise<void> {
    return this.#writer.awaitDrained();
  }

  onPressure(listener: (full: boolean) => void): () => void {
    return this.#writer.onPressure(listener);
  }

  resize({ cols, rows }: TerminalSize): void {
    assertInvariant(cols >= 1 && rows >= 1, `a terminal of ${cols} columns and ${rows} rows cannot be`);
    if (this.#alive) loadPty().native.resize(this.#fd, cols, rows);
  }

  readSize(): TerminalSize | null {
    return this.#alive ? readSize(this.#fd) : null;
  }

  kill(signal: NodeJS.Signals): boolean {
    return this.#process.signal(signal);
  }

  stop(): boolean {
    return this.#process.stop();
  }

  onStop(listener: () => void): () => void {
    return this.#process.onStop(() => {
      // The tool's output before the stop comes first; nothing follows now.
      if (!this.#reader.isPaused) this.#reader.drain();
      listener();
    });
  }

  wake(): void {
    this.#process.wake();
  }

  pause(): void {
    this.#reader.pause();
  }

  resume(): void {
    this.#reader.resume();
  }

  checkHealth(): ToolHealth {
    const { isOpen, waitsMs: inputWaitsMs } = this.#writer;
    const { isRead } = this.#reader;
    return { isOpen: isOpen && this.#alive && isatty(this.#fd), isRead, inputWaitsMs };
  }

  close(): void {
    this.#alive = false;
    this.#opens?.close();
    this.#opens = null;
    this.#writer.close();
    if (this.#slaveFd !== null) closeSync(this.#slaveFd);
    this.#slaveFd = null;
    this.#reader.close();
  }

  /** Call when the tool was reaped: all its output is in the kernel now, paused or not. */
  #finish(exit: TerminalExit, resolve: (exit: TerminalExit) => void): void {
    this.#queuesAtEnd = this.readQueues();
    if (!this.#reader.isDestroyed) {
      this.#alive = false;
      this.#writer.close();
      this.#reader.end();
    }
    this.#reader.whenClosed(() => resolve(exit));
    this.close();
  }
}

function holdOpen(path: string | null): number | null {
  try {
    return path === null ? null : openSync(path, constants.O_RDWR | constants.O_NOCTTY);
  } catch {
    return null; // Some containers hide the tool's side; then the kernel's hang-up may cut off the last output.
  }
}
