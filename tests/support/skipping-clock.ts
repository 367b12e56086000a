/** The machine's clock, which can be moved on: the timers that are due by then fire at once. */
import type { Cancel, Clock } from "../../src/model/clock.js";
import { systemClock } from "../../src/observe/clock.js";

interface Timer {
  readonly due: number;
  readonly fire: () => void;
}

export class SkippingClock implements Clock {
  #skippedMs = 0;
  readonly #timers = new Set<Timer>();

  now(): number {
    return systemClock.now() + this.#skippedMs;
  }

  monotonic(): number {
    return systemClock.monotonic() + this.#skippedMs;
  }

  sinceBoot(): number {
    return systemClock.sinceBoot() + this.#skippedMs;
  }

  after(ms: number, callback: () => void): Cancel {
    const cancel = (): void => {
      stop();
      this.#timers.delete(timer);
    };
    const fire = (): void => {
      cancel();
      callback();
    };
    const timer: Timer = { due: this.monotonic() + ms, fire };
    const stop = systemClock.after(ms, fire);
    this.#timers.add(timer);
    return cancel;
  }

  skip(ms: number): void {
    this.#skippedMs += ms;
    const due = [...this.#timers].filter((timer) => timer.due <= this.monotonic());
    for (const timer of due.sort((a, b) => a.due - b.due)) if (this.#timers.has(timer)) timer.fire();
  }
}
