/** Writes the events of a session to an inherited file descriptor, one JSON object a line. Its reader can never disturb the tool. */
import { writeSync } from "node:fs";
import { Socket } from "node:net";
import { checkDescriptor, closeQuietly, reopenPipe } from "./inherited-descriptor.js";
import type { SessionEvent } from "./session-events.js";

/** The most bytes that wait for a slow reader. A session has some hundred events of a few hundred bytes. */
export const WAITING_BYTES_MAX = 1024 * 1024;
/** The time for the last events after the tool has ended, while its user waits for the shell. */
const FINISH_WITHIN_MS = 1000;

export interface EventOutput {
  write(event: SessionEvent): void;
  finish(): Promise<void>;
}

/** Errors: ATB_USAGE if the descriptor is not open for writing, or is a terminal. */
export function openEventOutput(fd: number): EventOutput {
  const stats = checkDescriptor(fd);
  if (!stats.isFIFO() && !stats.isSocket()) return createFileOutput(fd);
  const pipe = stats.isFIFO() ? reopenPipe(fd) : fd;
  return pipe === null ? NO_READER : new StreamOutput(pipe);
}

const NO_READER: EventOutput = { write: () => undefined, finish: () => Promise.resolve() };

function formatLine(event: SessionEvent): string {
  return `${JSON.stringify(event)}\n`;
}

/** A write to a file never waits. */
function createFileOutput(fd: number): EventOutput {
  let isBroken = false;
  return {
    write: (event) => {
      if (isBroken) return;
      try {
        writeSync(fd, formatLine(event));
      } catch {
        // The disk may be full. Half a line may be written, after which no line could be parsed.
        isBroken = true;
      }
    },
    finish: () => Promise.resolve(),
  };
}

class StreamOutput implements EventOutput {
  readonly #fd: number;
  readonly #socket: Socket;
  #missed = 0;

  constructor(fd: number) {
    this.#fd = fd;
    this.#socket = new Socket({ fd, readable: false, writable: true });
    this.#socket.on("error", () => this.#socket.destroy());
    this.#socket.unref();
  }

  write(event: SessionEvent): void {
    const socket = this.#socket;
    if (socket.destroyed) return;
    if (socket.writableLength > WAITING_BYTES_MAX) this.#missed += 1;
    else {
      if (this.#missed > 0) socket.write(formatLine({ type: "missed", events: this.#missed }));
      this.#missed = 0;
      socket.write(formatLine(event));
    }
  }

  async finish(): Promise<void> {
    const socket = this.#socket;
    if (!socket.destroyed)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, FINISH_WITHIN_MS);
        socket.once("close", resolve).end(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    socket.destroy();
    closeQuietly(this.#fd);
  }
}
