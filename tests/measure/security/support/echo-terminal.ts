/** A terminal in which a program floods and another one echoes keys: how long an echo takes, and what of the flood came out. */
import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { systemClock } from "../../../../src/observe/clock.js";
import { openPty } from "../../../../src/worker/pty/pty.js";
import { HANG_MS } from "../../../support/hang-guards.js";
import type { Terminal } from "../../../../src/worker/process/terminal.js";

/** Between two keys: a fast typist's, four times. */
const GAP_MS = 8;

export class EchoTerminal {
  readonly #terminal: Terminal;
  readonly #hash = createHash("sha256");
  #hashesLeft = 0;
  #tail = "";
  #mark: string | null = null;
  #found: (at: number) => void = () => undefined;
  #keys = 0;
  /** All that came out so far. */
  bytes = 0;

  constructor(command: readonly string[], env: Readonly<Record<string, string>>) {
    this.#terminal = openPty({
      command,
      env,
      cwd: process.cwd(),
      size: { cols: 120, rows: 40 },
      clock: systemClock,
    });
    this.#terminal.onData((chunk) => this.#take(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)));
  }

  get pid(): number {
    return this.#terminal.pid;
  }

  press(keys: string): void {
    void this.#terminal.write(Buffer.from(keys));
  }

  /** The instant at which the mark came out. */
  until(mark: string): Promise<number> {
    const found = new Promise<number>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`no ${mark} came out`)), HANG_MS);
      this.#found = (at) => {
        clearTimeout(late);
        resolve(at);
      };
    });
    this.#mark = mark;
    if (this.#tail.includes(mark)) this.#find();
    return found;
  }

  /** The hash of the next so many bytes of output, once they are out. */
  async hash(bytes: number): Promise<string> {
    this.#hashesLeft = bytes;
    while (this.#hashesLeft > 0) await pause(GAP_MS);
    return this.#hash.digest("hex");
  }

  /** ms from each of so many keys to its echo. */
  async echoes(count: number): Promise<number[]> {
    const times: number[] = [];
    while (times.length < count) {
      const key = `<KEY${++this.#keys}>`;
      const echoed = this.until(key);
      const pressed = performance.now();
      this.press(key);
      times.push((await echoed) - pressed);
      await pause(GAP_MS);
    }
    return times;
  }

  async close(): Promise<void> {
    this.#terminal.kill("SIGTERM");
    this.#terminal.kill("SIGKILL");
    await this.#terminal.exited;
  }

  #take(chunk: Buffer): void {
    this.bytes += chunk.length;
    if (this.#hashesLeft > 0) {
      const counted = chunk.subarray(0, this.#hashesLeft);
      this.#hash.update(counted);
      this.#hashesLeft -= counted.length;
    }
    const text = this.#tail + chunk.toString("latin1");
    const hit = this.#mark !== null && text.includes(this.#mark);
    this.#tail = text.slice(-64);
    if (hit) this.#find();
  }

  #find(): void {
    this.#mark = null;
    this.#tail = "";
    this.#found(performance.now());
  }
}
