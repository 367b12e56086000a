/** The local clients that watch: they hear what the terminal's channel says, and that lists look different now. */
import type { Cancel } from "../../model/clock.js";

export class Watchers {
  readonly #listeners = new Set<(payload: unknown) => void>();

  add(listener: (payload: unknown) => void): Cancel {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  broadcast(payload: unknown): void {
    for (const listener of this.#listeners) listener(payload);
  }

  /** They look again. */
  changed(): void {
    this.broadcast({ kind: "changed" });
  }
}
