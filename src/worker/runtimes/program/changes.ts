import type { Clock } from "../../../model/clock.js";

export class Changes {
  readonly #clock: Clock;
  readonly #waiting = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  notify(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const callback of waiting) callback();
  }

  /** Resolves at the next change, at the latest after `ms`. */
  wait(ms = Infinity): Promise<void> {
    return new Promise((resolve) => {
      const stop = ms === Infinity ? null : this.#clock.after(ms, resolve);
      this.#waiting.add(() => {
        stop?.();
        resolve();
      });
    });
  }
}
