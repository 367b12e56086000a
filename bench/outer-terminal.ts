/** A terminal with a stopwatch: runs a command in a PTY, counts what comes out, and tells when a mark was seen. */
import { systemClock } from "../src/observe/clock.js";
import { openPty } from "../src/worker/pty/pty.js";
import type { Terminal } from "../src/worker/process/terminal.js";

export const SIZE = { cols: 120, rows: 40 };

/** Nothing measured here takes longer, on the slowest machine: what does has hung. */
const MARK_WITHIN_MS = 120_000;

/** How whatever shows the terminal takes its output and sends its keys. */
export interface OuterReader {
  readonly name: string;
  /** Output that was sent to it and not shown yet never exceeds this much. */
  readonly windowBytes: number;
  readonly bytesPerMs: number;
  /** For output and for keys, each way. */
  readonly delayMs: number;
}

export class OuterTerminal {
  readonly #terminal: Terminal;
  readonly #reader: OuterReader | null;
  /** Sent and not shown yet; and when the last of it will have been. */
  #unshownBytes = 0;
  #shownAt = 0;
  /** As latin1: a mark is ASCII, and its search must cost next to nothing. */
  #tail = "";
  #mark: string | null = null;
  #seen: (at: number) => void = () => undefined;
  bytes = 0;

  /** `reader` null: it takes everything at once. */
  constructor(
    command: readonly string[],
    env: Readonly<Record<string, string>>,
    reader: OuterReader | null = null,
  ) {
    this.#reader = reader;
    this.#terminal = openPty({ command, env, cwd: process.cwd(), size: SIZE, clock: systemClock });
    this.#terminal.onData((chunk) =>
      this.#receive(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)),
    );
  }

  get pid(): number {
    return this.#terminal.pid;
  }

  press(keys: string): void {
    const write = (): void => void this.#terminal.write(Buffer.from(keys));
    if (this.#reader === null) write();
    else setTimeout(write, this.#reader.delayMs);
  }

  /** The instant (`performance.now()`) at which the mark came out; errors when it does not within `withinMs`. */
  async until(mark: string, withinMs = MARK_WITHIN_MS): Promise<number> {
    const found = new Promise<number>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`no ${mark} within ${withinMs} ms`)), withinMs);
      this.#seen = (at) => {
        clearTimeout(late);
        resolve(at);
      };
    });
    this.#mark = mark;
    if (this.#tail.includes(mark)) this.#found();
    return found;
  }

  /** Hangs up, kills what stays, and waits for the end. */
  async close(): Promise<void> {
    this.#terminal.kill("SIGTERM");
    this.#terminal.kill("SIGKILL");
    await this.#terminal.exited;
  }

  #receive(chunk: Buffer): void {
    if (this.#reader === null) {
      this.take(chunk);
      return;
    }
    const { windowBytes, bytesPerMs, delayMs } = this.#reader;
    const now = performance.now();
    this.#unshownBytes += chunk.length;
    this.#shownAt = Math.max(this.#shownAt, now + delayMs) + chunk.length / bytesPerMs;
    if (this.#unshownBytes >= windowBytes) this.#terminal.pause();
    setTimeout(() => {
      this.#unshownBytes -= chunk.length;
      this.take(chunk);
      if (this.#unshownBytes < windowBytes) this.#terminal.resume();
    }, this.#shownAt - now);
  }

  protected take(chunk: Buffer): void {
    this.bytes += chunk.length;
    const mark = this.#mark;
    const hit = mark !== null && (chunk.includes(mark, 0, "latin1") || this.#straddles(chunk, mark));
    // A mark may come in more than two pieces.
    this.#tail = (this.#tail + chunk.toString("latin1", Math.max(0, chunk.length - 64))).slice(-64);
    if (hit) this.#found();
  }

  #straddles(chunk: Buffer, mark: string): boolean {
    return (this.#tail + chunk.toString("latin1", 0, mark.length)).includes(mark);
  }

  #found(): void {
    this.#mark = null;
    this.#tail = "";
    this.#seen(performance.now());
  }
}
