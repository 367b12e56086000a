/** A terminal in which a program floods and another one echoes keys: how long an echo takes, and what of the flood came out. */
import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { OuterTerminal } from "../../../../bench/outer-terminal.js";

/** Between two keys: a fast typist's, four times. */
const GAP_MS = 8;

export class EchoTerminal extends OuterTerminal {
  readonly #hash = createHash("sha256");
  #hashesLeft = 0;
  #keys = 0;

  async hash(bytes: number): Promise<string> {
    this.#hashesLeft = bytes;
    while (this.#hashesLeft > 0) await pause(GAP_MS);
    return this.#hash.digest("hex");
  }

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

  protected override take(chunk: Buffer): void {
    if (this.#hashesLeft > 0) {
      const counted = chunk.subarray(0, this.#hashesLeft);
      this.#hash.update(counted);
      this.#hashesLeft -= counted.length;
    }
    super.take(chunk);
  }
}
