/** The interface between a session and the pseudo-terminal of its tool: output, input, size, lifetime. */

import type { ToolHealth } from "../../sdk/adapter.js";

/** Terminal size in character cells, both at least 1. */
export interface TerminalSize {
  readonly cols: number;
  readonly rows: number;
}

/** How the tool ended: exactly one of `exitCode` and `signal` is set. */
export interface TerminalExit {
  readonly exitCode: number | null;
  readonly signal: number | null;
  /** Name of `signal`; null if the tool exited without one or the number has no name here. */
  readonly signalName: NodeJS.Signals | null;
}

export interface WriteOptions {
  /** Cancels what has not gone in yet; the write then resolves with the number of bytes that did. */
  readonly signal?: AbortSignal;
}

export interface TerminalQueues {
  readonly input: number;
  readonly output: number;
}

export interface InputMode {
  /** The kernel hands out whole lines. */
  readonly canonical: boolean;
  readonly echo: boolean;
}

export interface TerminalUse {
  /** Somebody has opened the tool's side, or closed it after writing. */
  readonly isOpened: boolean;
  /** Somebody has written to a terminal of this machine as `/dev/tty`. */
  readonly isWritten: boolean;
}

export interface Terminal {
  /** Leader of the terminal's session: the tool, or the shell that does job control for it. */
  readonly pid: number;
  /** Path of the tool's side (`/dev/pts/5`); null if this system does not report or show it. */
  readonly ptsPath: string | null;
  /** False from the moment the tool was reaped or `close` was called. Its last output may still follow. */
  readonly alive: boolean;

  /**
   * Calls `listener` with output as it comes, in order. Reading starts with the first listener. Each chunk belongs to the
   * listeners: its bytes are never changed afterwards. Returns a function that removes the listener.
   */
  onData(listener: (chunk: Uint8Array) => void): () => void;

  /**
   * Calls `show` with all output before the listeners get it, in pieces: in a flood each piece comes as soon as it is read, and
   * many are one chunk for the listeners. A pause within `show` ends the chunk. So does input at one of these descriptors: while
   * the tool floods, no other code of this process runs for a millisecond at a time.
   */
  showFirst(show: (piece: Uint8Array) => void, interruptedBy?: readonly number[]): void;

  /**
   * Before it returns, gives the listeners the output that the tool has written by now and the event loop has not read yet. False
   * when there was none: then the listeners have everything that this system has let through. Works also while reading is paused.
   */
  readNow(): boolean;

  /** Resolves once the tool is reaped and the very last byte of its output was given to the listeners. Never rejects. */
  readonly exited: Promise<TerminalExit>;

  /**
   * Puts bytes into the tool's input, after everything that was written before; what fits goes in before this returns. Resolves
   * with how many bytes went in: fewer than given (the rest is proved not written) when the terminal closed, the write was
   * cancelled, or the queue was full (then none). The bytes must not be changed until then.
   */
  write(bytes: Uint8Array, options?: WriteOptions): Promise<number>;
  readonly pendingBytes: number;
  /**
   * Reads how much the kernel holds: input that the tool has not read, and output that we have not read; after the tool's end,
   * the values at its end. Null if the system does not report it.
   */
  readQueues(): TerminalQueues | null;
  /** Reads the input mode without opening the terminal; null where that is not possible. */
  readInputMode(): InputMode | null;
  /**
   * Reads the possible writes of other programs since the last call; none at the first call, and none if the system does not
   * report them.
   */
  readUse(): TerminalUse;
  /** Resolves when nothing waits any more (also because the terminal closed). */
  drained(): Promise<void>;
  /** Calls `listener` with true when so much waits that writers should stop, and with false when there is room again. */
  onPressure(listener: (full: boolean) => void): () => void;

  /** Does nothing once the tool is gone. Errors: a programmer error for a size below 1. */
  resize(size: TerminalSize): void;
  /** Reads the size that the tool sees: a program may have changed it. Null if the system does not report it. */
  readSize(): TerminalSize | null;
  /** Sends a signal to the tool's process group, and wakes a stopped tool. False when it is gone. */
  kill(signal: NodeJS.Signals): boolean;
  /** Asks the tool to stop, as Ctrl-Z does. False when the stop could not be detected here; then nothing was done. */
  stop(): boolean;
  /**
   * Calls `listener` each time the tool has stopped, for any reason; the tool stays stopped until `wake`. Returns a function that
   * removes the listener.
   */
  onStop(listener: () => void): () => void;
  wake(): void;
  /**
   * Stops reading: the tool is blocked once the kernel's buffer is full. One chunk that is under way may still come, and the
   * tool's end overrides a pause.
   */
  pause(): void;
  resume(): void;
  checkHealth(): ToolHealth;
  /** Releases the terminal: the tool gets SIGHUP, unread output is dropped, pending writes resolve. */
  close(): void;
}
