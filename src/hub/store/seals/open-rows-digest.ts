/**
 * One proof for all open rows of the ledger, written with every commit. A removed row, or one restored with its old proof, does
 * not match it.
 */
import { createHmac } from "node:crypto";
import type { ChainHead } from "../../audit/chain.js";
import { MAC_BYTES } from "../../audit/row-mac.js";

export class OpenRowsDigest {
  readonly #key: Buffer;
  readonly #macs = new Map<string, string>();
  /** The XOR of a keyed digest of each row, which each change can update and only the key's holder can compute. */
  readonly #sum = Buffer.alloc(MAC_BYTES);
  #undo: (readonly [name: string, before: string | undefined])[] = [];

  constructor(key: Buffer) {
    this.#key = key;
  }

  /** `mac` null: the row is no longer open. */
  put(name: string, mac: Buffer | null): void {
    const before = this.#macs.get(name);
    const now = mac?.toString("hex");
    if (before === now) return;
    this.#undo.push([name, before]);
    this.#set(name, before, now);
  }

  /** Undoes everything since the last `settle`. */
  rollBack(): void {
    for (const [name, before] of this.#undo.reverse()) this.#set(name, this.#macs.get(name), before);
    this.#undo = [];
  }

  settle(): void {
    this.#undo = [];
  }

  has(name: string, mac: Buffer): boolean {
    return this.#macs.get(name) === mac.toString("hex");
  }

  get names(): readonly string[] {
    return [...this.#macs.keys()];
  }

  /** Covers the audit's end too, so that an older proof does not fit a newer audit. */
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
