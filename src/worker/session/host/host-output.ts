import { constants, fstatSync, openSync, writeSync } from "node:fs";
import { Socket } from "node:net";
import type { Writable } from "node:stream";
import { isatty, ReadStream, WriteStream } from "node:tty";
import { openWriteAvailable, type WriteAvailable } from "../../process/descriptors/descriptor-calls.js";
import type { TerminalSize } from "../../process/terminal.js";

const STDOUT = 1;
const STDIN = 0;
const STDERR = 2;

export interface HostOutput {
  readonly output: Writable;
  /** Writes as much as fits at once, bypassing the stream, which must be open and empty; null: use the stream. */
  readonly writeAvailable: WriteAvailable | null;
}

/**
 * Opens standard output as a stream that never blocks: after Ctrl-S in the user's terminal, a blocking write would stop the worker, and
 * with it every answer from the phone. Terminals and pipes are opened again, because our own file description can be non-blocking without
 * affecting the shell that shares the old one.
 */
export function openHostOutput(): HostOutput {
  const kind = fstatSync(STDOUT);
  try {
    // A terminal's ReadStream can also write, and unlike a WriteStream it polls. It is never read.
    if (isatty(STDOUT)) return openDescriptor(reopen(STDOUT, constants.O_RDWR), (fd) => new ReadStream(fd));
    if (kind.isFIFO())
      return openDescriptor(reopen(STDOUT, constants.O_WRONLY), (fd) => new Socket({ fd, readable: false }));
    if (kind.isSocket()) return { output: new Socket({ fd: STDOUT, readable: false }), writeAvailable: null };
  } catch {
    // After `su` the terminal belongs to another user and cannot be opened again. Then a stuck terminal does block us.
  }
  return { output: process.stdout, writeAvailable: null };
}

/** The stream makes the descriptor non-blocking and owns it. Once it is closed, its number may be reused. */
function openDescriptor(fd: number, open: (fd: number) => Writable): HostOutput {
  const output = open(fd);
  // Loaded at the first output, so that it does not delay the tool's start.
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
 * Ignores errors of our terminals. Node measures them after a resize, and an error from a lost terminal would end us before the tool.
 * Readers and writers notice the loss anyway.
 */
export function ignoreLostTerminals(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}

/** Returns a function that tells whether a terminal behind a standard stream was lost. */
export function watchTerminals(): () => boolean {
  const terminals = [STDIN, STDOUT, STDERR].filter((fd) => isatty(fd));
  return () => terminals.some((fd) => !isatty(fd));
}

/** Writes at once, bypassing all queues, in the last moment of the process. */
export function writeToScreen(text: string): void {
  try {
    writeSync(STDOUT, text);
  } catch {
    // A terminal that is lost or blocked cannot be restored.
  }
}

export function measureHost(): TerminalSize | null {
  const screen = [process.stdout, process.stderr].find((stream) => stream.isTTY);
  const [cols, rows] = screen ? [screen.columns, screen.rows] : isatty(STDIN) ? measureStdin() : [0, 0];
  return cols > 0 && rows > 0 ? { cols, rows } : null;
}

/** Only a new WriteStream measures the size. */
function measureStdin(): [number, number] {
  try {
    const screen = new WriteStream(reopen(STDIN, constants.O_RDWR));
    screen.destroy();
    return [screen.columns, screen.rows];
  } catch {
    return [0, 0];
  }
}

/** Adds carriage returns, which a line feed needs in raw mode. */
export function toRawLines(chunk: Uint8Array): Uint8Array {
  return Buffer.from(Buffer.from(chunk).toString().replaceAll(/\r?\n/g, "\r\n"));
}
