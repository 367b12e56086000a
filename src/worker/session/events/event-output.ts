/** Writes the events of a session to an inherited file descriptor, one JSON object a line. Its reader can never disturb the tool. */
import { writeSync } from "node:fs";
import { Socket } from "node:net";
import { checkDescriptor, closeQuietly, reopenPipe } from "./inherited-descriptor.js";
import type { SessionEvent } from "./session-events.js";

/** What waits for a slow reader. A session has some hundred events of a few hundred bytes; a stuck reader must not fill our memory. */
export const WAITING_BYTES_MAX = 1024 * 1024;
/** The reader's time for the last events: the tool has ended, and its user waits for the prompt of the shell. */
const FINISH_WITHIN_MS = 1000;

export interface EventOutput {
  /** Never throws, never waits. */
  write(event: SessionEvent): void;
  /** Resolves when all is written, or nobody reads it in time. */
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

/** A file never makes a writer wait. */
function createFileOutput(fd: number): EventOutput {
  let isBroken = false;
  return {
    write: (event) => {
      if (isBroken) return;
      try {
        writeSync(fd, formatLine(event));
      } catch {
        // A full disk: half a line may stand there, and nothing readable could follow it.
        isBroken = true;
      }
    },
    finish: () => Promise.resolve(),
  };
}

class StreamOutput implements EventOutput {
  readonly #fd: number;
  readonly #socket: Socket;
  /** Events that a slow reader has missed since the last one that it got. */
  #missed = 0;

  constructor(fd: number) {
    this.#fd = fd;
    this.#socket = new Socket({ fd, readable: false, writable: true });
    // Nobody reads any more.
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
