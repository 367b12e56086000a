/** Starts a tool in a pseudo-terminal and keeps every byte of it: see ADR 2 for why this edge is our own. */
import { closeSync, constants, openSync, readSync, statSync } from "node:fs";
import type { OnReadOpts, SocketConstructorOpts } from "node:net";
import { ReadStream } from "node:tty";
import type { Clock } from "../../model/clock.js";
import { invariant } from "../../model/errors.js";
import { createStartError, findExecutable, INHERITED_FOLDER } from "../process/executable.js";
import { FdWriter } from "../process/fd-writer.js";
import { isolateStart, type Isolation } from "../process/isolation.js";
import { hasJobShell, wrapInJobShell, type ShellStart } from "./job-shell.js";
import { adoptOrphans, excludeFromCollection } from "../process/orphans.js";
import { loadPty } from "./pty-native.js";
import { countReadable } from "./pty-queue.js";
import type {
  Terminal,
  TerminalExit,
  TerminalQueues,
  TerminalSize,
  WriteOptions,
} from "../process/terminal.js";
import { ToolProcess } from "../process/tool-process.js";

/** Chunks are cut from slabs of this size, so that a flood costs one allocation for every sixteen kernel reads. */
const SLAB_BYTES = 64 * 1024;
/** Size of one read: the kernel's own buffer. The kernel returns more only while the tool is still writing. */
const KERNEL_READ_BYTES = 4096;
/** Longest chunk. Gathering kernel reads up to here halves the work of all listeners; more gains nothing. */
const CHUNK_BYTES_MAX = 16 * 1024;
/** A read of at least this much means a flood: more is likely. Below it (echo, prompts) a second read is wasted. */
const FLOOD_READ_BYTES = 2048;
/**
 * The kernel holds some ten KiB for a tool that ended. A process that the tool left behind may write forever, so its output is cut
 * off after this much.
 */
const TAIL_BYTES_MAX = 1024 * 1024;

export interface PtyOptions {
  /** The executable as typed, and its arguments. */
  readonly command: readonly string[];
  /** The tool's whole environment (see `createChildEnvironment`). */
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

function checkFolder(cwd: string): void {
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) return;
  throw createStartError(`the working directory ${cwd} is not there`, "Start from an existing directory.");
}

class Pty implements Terminal {
  readonly ptsPath: string | null;
  readonly exited: Promise<TerminalExit>;

  readonly #process: ToolProcess;
  readonly #fd: number;
  readonly #socket: ReadStream;
  readonly #writer: FdWriter;
  readonly #listeners = new Set<(chunk: Uint8Array) => void>();
  /** Output of a tool that ended before there was a listener. */
  readonly #unheard: Uint8Array[] = [];
  /** Our own descriptor of the tool's side. While it is open, a hang-up cannot discard unread output. */
  #slaveFd: number | null = null;
  #slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
  #used = 0;
  #alive = true;
  #paused = false;
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
    this.#socket = this.#openReader();
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
    this.#listeners.add(listener);
    for (const chunk of this.#unheard.splice(0)) listener(chunk);
    if (!this.#paused && this.#alive) this.#socket.resume();
    return () => void this.#listeners.delete(listener);
  }

  readNow(): boolean {
    if (!this.#alive || this.#socket.destroyed) return false;
    // Not through the slab: see `#deliverRest`.
    const news = Buffer.allocUnsafeSlow(KERNEL_READ_BYTES);
    const bytes = readSome(this.#fd, news);
    if (bytes !== null) this.#deliver(news.subarray(0, bytes));
    return bytes !== null;
  }

  readQueues(): TerminalQueues | null {
    if (!this.#alive || this.#slaveFd === null) return this.#queuesAtEnd;
    const [input, output] = [countReadable(this.#slaveFd), countReadable(this.#fd)];
    return input === null || output === null ? null : { input, output };
  }

  write(bytes: Uint8Array, options?: WriteOptions): Promise<number> {
    return this.#writer.write(bytes, options);
  }

  drained(): Promise<void> {
    return this.#writer.drained();
  }

  onPressure(listener: (full: boolean) => void): () => void {
    return this.#writer.onPressure(listener);
  }

  resize({ cols, rows }: TerminalSize): void {
    invariant(cols >= 1 && rows >= 1, `a terminal of ${cols} columns and ${rows} rows cannot be`);
    if (this.#alive) loadPty().native.resize(this.#fd, cols, rows);
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
      if (!this.#paused) this.#deliverRest();
      listener();
    });
  }

  wake(): void {
    this.#process.wake();
  }

  pause(): void {
    this.#paused = true;
    this.#socket.pause();
  }

  resume(): void {
    this.#paused = false;
    if (this.#alive && this.#listeners.size > 0) this.#socket.resume();
  }

  close(): void {
    this.#alive = false;
    this.#writer.close();
    if (this.#slaveFd !== null) closeSync(this.#slaveFd);
    this.#slaveFd = null;
    this.#socket.destroy();
  }

  #openReader(): ReadStream {
    // `onread` is an option of every socket; it spares the copy and the events of a stream.
    const onread = {
      buffer: () => this.#getFreeSlab(),
      callback: (bytes: number) => {
        this.#takeRead(bytes);
        // A pause in the turn in which reading began comes too late for the socket; this one is in time.
        return !this.#paused;
      },
    };
    const options: SocketConstructorOpts & { onread: OnReadOpts } = { onread };
    const socket = new ReadStream(this.#fd, options);
    // Without our descriptor of the tool's side, its end shows as EIO. Either way our descriptor is closed then.
    socket.on("error", () => undefined);
    socket.once("close", () => this.close());
    return socket;
  }

  /** Room for one read. */
  #getFreeSlab(): Buffer {
    if (this.#slab.length - this.#used < KERNEL_READ_BYTES) {
      this.#slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
      this.#used = 0;
    }
    return this.#slab.subarray(this.#used, this.#used + KERNEL_READ_BYTES);
  }

  /** Takes what the system has just read into the free slab, and in a flood whatever else is there. */
  #takeRead(bytes: number): void {
    let end = this.#used + bytes;
    const limit = Math.min(this.#used + CHUNK_BYTES_MAX, this.#slab.length) - KERNEL_READ_BYTES;
    for (let more: number | null = bytes; more !== null && more >= FLOOD_READ_BYTES && end <= limit;) {
      more = readSome(this.#fd, this.#slab.subarray(end, end + KERNEL_READ_BYTES));
      end += more ?? 0;
    }
    this.#deliver(this.#slab.subarray(this.#used, end));
    this.#used = end;
  }

  #deliver(chunk: Uint8Array): void {
    if (this.#listeners.size === 0) this.#unheard.push(chunk);
    for (const listener of this.#listeners) listener(chunk);
  }

  /** Call when the tool was reaped: all its output is in the kernel now, paused or not. */
  #finish(exit: TerminalExit, resolve: (exit: TerminalExit) => void): void {
    this.#queuesAtEnd = this.readQueues();
    if (!this.#socket.destroyed) {
      this.#alive = false;
      this.#writer.close();
      this.#socket.pause();
      this.#deliverRest();
    }
    if (this.#socket.closed) resolve(exit);
    else this.#socket.once("close", () => resolve(exit));
    this.close();
  }

  /** Delivers all that is in the kernel, but not through the slab: the socket was promised the free part of it. */
  #deliverRest(): void {
    for (let total = 0; total < TAIL_BYTES_MAX;) {
      const rest = Buffer.allocUnsafeSlow(KERNEL_READ_BYTES);
      const bytes = readSome(this.#fd, rest);
      if (bytes === null) return;
      total += bytes;
      this.#deliver(rest.subarray(0, bytes));
    }
  }
}

/** Returns how many bytes were read; null when there are none, or never will be. */
function readSome(fd: number, into: Uint8Array): number | null {
  try {
    return readSync(fd, into) || null;
  } catch {
    return null;
  }
}

function holdOpen(path: string | null): number | null {
  try {
    return path === null ? null : openSync(path, constants.O_RDWR | constants.O_NOCTTY);
  } catch {
    return null; // Some containers hide the tool's side; then the kernel's hang-up may cut off the last output.
  }
}
