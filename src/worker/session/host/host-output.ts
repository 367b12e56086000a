/** Writes to the user's side: bytes as they are, and never with a write that blocks the whole worker. */
import { constants, fstatSync, openSync, writeSync } from "node:fs";
import { Socket } from "node:net";
import type { Writable } from "node:stream";
import { isatty, ReadStream, WriteStream } from "node:tty";
import { openWriteAvailable, type WriteAvailable } from "../../process/descriptors/descriptor-calls.js";
import type { TerminalSize } from "../../process/terminal.js";

const STDOUT = 1;
const STDIN = 0;
const STDERR = 2;

/** Standard output, opened for us alone. */
export interface HostOutput {
  /** Keeps what cannot be written yet. */
  readonly output: Writable;
  /** Writes past the stream what goes in at once; null: everything goes through the stream. Only while the stream is open and empty. */
  readonly writeAvailable: WriteAvailable | null;
}

/**
 * Opens standard output as a stream that waits instead of blocking: after Ctrl-S in the user's terminal a plain write would stop
 * the worker, and with it every answer from the phone. `process.stdout` blocks for terminals and pipes, so these are opened again:
 * our own file description can be non-blocking without affecting the shell that shares the old one.
 */
export function openHostOutput(): HostOutput {
  const kind = fstatSync(STDOUT);
  try {
    // A terminal's ReadStream reads and writes, and unlike its WriteStream it waits by polling. We never read from it.
    if (isatty(STDOUT)) return openDescriptor(reopen(STDOUT, constants.O_RDWR), (fd) => new ReadStream(fd));
    if (kind.isFIFO())
      return openDescriptor(reopen(STDOUT, constants.O_WRONLY), (fd) => new Socket({ fd, readable: false }));
    if (kind.isSocket()) return { output: new Socket({ fd: STDOUT, readable: false }), writeAvailable: null };
  } catch {
    // After `su` the terminal belongs to another user and cannot be opened again. Then a stuck terminal does block us.
  }
  return { output: process.stdout, writeAvailable: null };
}

/** The stream makes the descriptor non-blocking, or keeps it so, and owns it: a closed one may be somebody else's. */
function openDescriptor(fd: number, open: (fd: number) => Writable): HostOutput {
  const output = open(fd);
  // Bound at the first output: the tool's start does not wait for it.
  let write: WriteAvailable | null | undefined;
  const writeAvailable = (bytes: Uint8Array): number => {
    if (output.destroyed) return 0;
    if (write === undefined) write = openWriteAvailable(fd, isatty(STDIN) ? [STDIN] : []);
    return write?.(bytes) ?? 0;
  };
  return { output, writeAvailable };
}

function reopen(fd: number, mode: number): number {
  return openSync(`/dev/fd/${fd}`, mode | constants.O_NONBLOCK | constants.O_NOCTTY);
}

/**
 * Ignores errors of our terminals. Node measures them whenever they may have a new size, and an error because one is gone by then
 * would end us before the tool is ended. Whoever reads or writes the terminal learns of its end anyway.
 */
export function ignoreLostTerminals(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}

/** Returns a function that tells whether a terminal that is now behind a standard stream is gone. */
export function watchTerminals(): () => boolean {
  const terminals = [STDIN, STDOUT, STDERR].filter((fd) => isatty(fd));
  return () => terminals.some((fd) => !isatty(fd));
}

/** Writes past all that is queued, and only once: for the last moment of the process. */
export function writeToScreen(text: string): void {
  try {
    writeSync(STDOUT, text);
  } catch {
    // A terminal that is gone or blocked needs no modes.
  }
}

/** Measures the terminal behind stdout, stderr or stdin; null when there is none or it has no size. */
export function measureHost(): TerminalSize | null {
  const screen = [process.stdout, process.stderr].find((stream) => stream.isTTY);
  const [cols, rows] = screen ? [screen.columns, screen.rows] : isatty(STDIN) ? measureStdin() : [0, 0];
  return cols > 0 && rows > 0 ? { cols, rows } : null;
}

/** Only a WriteStream has a size, and only a new one measures it. */
function measureStdin(): [number, number] {
  try {
    const screen = new WriteStream(reopen(STDIN, constants.O_RDWR));
    screen.destroy();
    return [screen.columns, screen.rows];
  } catch {
    return [0, 0];
  }
}

/** Adds carriage returns, because in raw mode a line feed only goes down. */
export function toRawLines(chunk: Uint8Array): Uint8Array {
  return Buffer.from(Buffer.from(chunk).toString().replaceAll(/\r?\n/g, "\r\n"));
}
