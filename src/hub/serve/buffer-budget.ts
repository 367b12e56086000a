/** Counts the bytes buffered per owner within one total limit. Pure. */
import { MUCH_BYTES } from "./limits.js";

export class BufferBudget<Owner> {
  readonly #bytesMax: number;
  readonly #held = new Map<Owner, number>();
  #total = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get total(): number {
    return this.#total;
  }

  /**
   * Records an owner's buffered bytes. Returns the owner to disconnect so that the total holds, or null: among those with much,
   * the one that has held it longest. A well-behaved owner frees its buffer within milliseconds.
   */
  note(owner: Owner, bytes: number): Owner | null {
    this.#total += bytes - (this.#held.get(owner) ?? 0);
    if (bytes === 0) this.#held.delete(owner);
    else this.#held.set(owner, bytes);
    if (this.#total <= this.#bytesMax) return null;
    for (const [longest, held] of this.#held) if (held > MUCH_BYTES) return longest;
    return this.#held.keys().next().value ?? null;
  }
}
