/** Cuts a service's answers at one byte after the other: the connection is closed there, or left open and silent. */
import type { BrokenReply } from "../../../support/http/broken-reply.js";

type End = "close" | "silence";

const ENDS: readonly End[] = ["close", "silence"];

export class CutAnswers {
  cuts = 0;
  readonly #methods: readonly string[];
  readonly #positions: number;
  readonly #random: () => number;
  /** Where the next answer of a method is cut, for each end; beyond its length: all is done. */
  readonly #next = new Map<string, { at: number; readonly step: number }>();
  readonly #done = new Set<string>();
  /** Whatever was in a cut answer gets through the next time. */
  readonly #cutBefore = new Set<string>();
  #turn = 0;

  /** Of each method's answers about `positions` bytes are tried with each end, at equal distances; every byte where that many are there. */
  constructor(methods: readonly string[], positions: number, random: () => number) {
    this.#methods = methods;
    this.#positions = positions;
    this.#random = random;
  }

  get done(): boolean {
    return this.#done.size === this.#methods.length * ENDS.length;
  }

  /** What happens to this answer; null: it goes out whole. `call` is the same when the call is made again, and null for what is never cut. */
  breakReply(method: string, call: string | null, reply: Buffer): BrokenReply | null {
    if (call === null || !this.#methods.includes(method)) return null;
    // A card says how long it is open, so its second posting may differ in that alone.
    const same = `${method} ${call.replace(/\d+ (min|s)\b/g, "")}`;
    if (this.#cutBefore.has(same)) return null;
    const end = this.#endFor(method);
    if (end === null) return null;
    const key = `${method} ${end}`;
    const next = this.#next.get(key) ?? this.#first(end, reply.length);
    this.#next.set(key, next);
    const breakAt = next.at;
    next.at += next.step;
    if (breakAt >= reply.length) {
      this.#done.add(key);
      return null;
    }
    this.cuts += 1;
    this.#cutBefore.add(same);
    return { breakAt, then: end };
  }

  #endFor(method: string): End | null {
    const left = ENDS.filter((end) => !this.#done.has(`${method} ${end}`));
    return left[this.#turn++ % Math.max(1, left.length)] ?? null;
  }

  /** An answer of which nothing came is silent like one that takes its time: silence begins behind the first byte. */
  #first(end: End, length: number): { at: number; readonly step: number } {
    const step = Math.max(1, Math.floor(length / this.#positions));
    return { at: Math.floor(this.#random() * step) + (end === "silence" ? 1 : 0), step };
  }
}
