/** The seam between a run and the pseudo-terminal of its tool: bytes out, bytes in, size, life. */

/** Terminal size in character cells, both at least 1. */
export interface TerminalSize {
  readonly cols: number;
  readonly rows: number;
}

/** How the tool ended: exactly one of `exitCode` and `signal` is set. */
export interface TerminalExit {
  readonly exitCode: number | null;
  readonly signal: number | null;
  /** Name of `signal`; null when the tool exited by itself or the number has no name here. */
  readonly signalName: NodeJS.Signals | null;
}

export interface WriteOptions {
  /** Takes back what has not gone in yet; the write then resolves with what did. */
  readonly signal?: AbortSignal;
}

/** Bytes. */
export interface TerminalQueues {
  readonly input: number;
  readonly output: number;
}

export interface Terminal {
  /** Leader of the terminal's session: the tool, or the shell that keeps its jobs. */
  readonly pid: number;
  /** Path of the tool's side (`/dev/pts/5`); null when this system does not tell or show it. */
  readonly ptsPath: string | null;
  /** False from the moment the tool was reaped or `close` was called. Its last output may still follow. */
  readonly alive: boolean;

  /**
   * Output as it comes, in order. Reading starts with the first listener. Each chunk belongs to the listeners: its bytes are
   * never changed afterwards. Returns what takes the listener off.
   */
  onData(listener: (chunk: Uint8Array) => void): () => void;

  /**
   * Gives to the listeners, before it returns, what the tool has written by now and the event loop has not come to read. False when
   * there was nothing: then all that this system has let through is with the listeners. Also while reading is paused.
   */
  readNow(): boolean;

  /** Resolves once the tool is reaped and the very last byte of its output was given to the listeners. Never rejects. */
  readonly exited: Promise<TerminalExit>;

  /**
   * Puts bytes into the tool's input, after all that was written before; what fits goes in before this returns. Resolves with
   * how many bytes went in: fewer than given (the rest is proved not written) when the terminal closed, the write was taken
   * back, or the queue was full (then none). The bytes must not be changed until then.
   */
  write(bytes: Uint8Array, options?: WriteOptions): Promise<number>;
  /** Bytes that wait for the tool to read. */
  readonly pendingBytes: number;
  /** What the kernel holds: input that the tool has not read, output that we have not; once it ended, at its end. Null where the system does not tell. */
  queues(): TerminalQueues | null;
  /** Resolves when nothing waits any more (also because the terminal closed). */
  drained(): Promise<void>;
  /** Called with true when so much waits that writers should stop, with false when there is room again. */
  onPressure(listener: (full: boolean) => void): () => void;

  /** Does nothing once the tool is gone. Errors: a programmer error for a size below 1. */
  resize(size: TerminalSize): void;
  /** Sends a signal to the tool's process group, and wakes a tool that is stopped. False when it is gone. */
  kill(signal: NodeJS.Signals): boolean;
  /** Asks the tool to stop, as Ctrl-Z does. False when it could not be told here whether it did; nothing was done then. */
  stop(): boolean;
  /** Called each time the tool has stopped, whoever asked it to: it stays so until `wake`. Returns what takes the listener off. */
  onStop(listener: () => void): () => void;
  /** Lets a stopped tool go on. */
  wake(): void;
  /**
   * Stops reading: the tool is blocked once the kernel's buffer is full. One chunk that is under way may still come, and the
   * tool's end overrides a pause.
   */
  pause(): void;
  resume(): void;
  /** Lets the terminal go: the tool gets SIGHUP, output that was not read is dropped, pending writes resolve. */
  close(): void;
}
