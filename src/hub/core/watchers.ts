/** Local clients that watch: they receive what the terminal channel shows, and a signal when lists changed. */
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

  notifyChanged(): void {
    this.broadcast({ kind: "changed" });
  }
}
