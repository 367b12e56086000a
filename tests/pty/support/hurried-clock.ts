/** The system's clock; what it would wait for can be had at once. */
import { systemClock, type Cancel, type Clock } from "../../../src/observe/clock.js";

export class HurriedClock implements Clock {
  readonly #due = new Set<() => void>();

  now(): number {
    return systemClock.now();
  }

  monotonic(): number {
    return systemClock.monotonic();
  }

  sinceBoot(): number {
    return systemClock.sinceBoot();
  }

  after(ms: number, callback: () => void): Cancel {
    const stop = (): void => {
      cancel();
      this.#due.delete(act);
    };
    const act = (): void => {
      stop();
      callback();
    };
    const cancel = systemClock.after(ms, act);
    this.#due.add(act);
    return stop;
  }

  hurry(): void {
    for (const act of [...this.#due]) act();
  }
}
