/** A terminal with a stopwatch: runs a command in a PTY, counts what comes out, and tells when a mark was seen. */
import { systemClock } from "../src/observe/clock.js";
import { openPty } from "../src/worker/pty/pty.js";
import type { Terminal } from "../src/worker/process/terminal.js";

export const SIZE = { cols: 120, rows: 40 };

/** Nothing measured here takes longer, on the slowest machine: what does has hung. */
const MARK_WITHIN_MS = 120_000;

export class OuterTerminal {
  readonly #terminal: Terminal;
  /** As latin1: a mark is ASCII, and its search must cost next to nothing. */
  #tail = "";
  #mark: string | null = null;
  #seen: (at: number) => void = () => undefined;
  bytes = 0;

  constructor(command: readonly string[], env: Readonly<Record<string, string>>) {
    this.#terminal = openPty({ command, env, cwd: process.cwd(), size: SIZE, clock: systemClock });
    this.#terminal.onData((chunk) => this.#take(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)));
  }

  get pid(): number {
    return this.#terminal.pid;
  }

  press(keys: string): void {
    void this.#terminal.write(Buffer.from(keys));
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

  #take(chunk: Buffer): void {
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
