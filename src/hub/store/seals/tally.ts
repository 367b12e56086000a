/**
 * What stands open in the ledger: one proof for all of it, written with every commit. A row that is taken out, or put back as it once was
 * with the proof that it had then, does not fit it.
 */
import { createHmac } from "node:crypto";
import type { ChainHead } from "../../audit/chain.js";
import { MAC_BYTES } from "../../audit/row-mac.js";

export class Tally {
  readonly #key: Buffer;
  readonly #macs = new Map<string, string>();
  /** Exclusive or of a keyed digest of each row, which nobody else knows: a sum that each change can carry on. */
  readonly #sum = Buffer.alloc(MAC_BYTES);
  #undo: (readonly [name: string, before: string | undefined])[] = [];

  constructor(key: Buffer) {
    this.#key = key;
  }

  /** `mac` null: the row stands open no more. */
  put(name: string, mac: Buffer | null): void {
    const before = this.#macs.get(name);
    const now = mac?.toString("hex");
    if (before === now) return;
    this.#undo.push([name, before]);
    this.#set(name, before, now);
  }

  /** Everything since the last `settle` did not happen. */
  takeBack(): void {
    for (const [name, before] of this.#undo.reverse()) this.#set(name, this.#macs.get(name), before);
    this.#undo = [];
  }

  settle(): void {
    this.#undo = [];
  }

  holds(name: string, mac: Buffer): boolean {
    return this.#macs.get(name) === mac.toString("hex");
  }

  get names(): readonly string[] {
    return [...this.#macs.keys()];
  }

  /** Together with how far the record had come then: an older proof does not fit a newer record. */
  proof({ count, hash }: ChainHead): Buffer {
    const covered = JSON.stringify(["standing", this.#macs.size, this.#sum.toString("hex"), count, hash]);
    return createHmac("sha256", this.#key).update(covered).digest();
  }

  #set(name: string, before: string | undefined, now: string | undefined): void {
    if (before !== undefined) this.#toggle(name, before);
    if (now === undefined) this.#macs.delete(name);
    else {
      this.#toggle(name, now);
      this.#macs.set(name, now);
    }
  }

  #toggle(name: string, mac: string): void {
    const digest = createHmac("sha256", this.#key)
      .update(JSON.stringify([name, mac]))
      .digest();
    for (let at = 0; at < MAC_BYTES; at += 1) this.#sum[at] = (this.#sum[at] ?? 0) ^ (digest[at] ?? 0);
  }
}
