import { uptime } from "node:os";
import type { Cancel, Clock } from "../model/clock.js";

export type { Cancel, Clock };

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sinceBoot: () => uptime() * 1000,
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

interface ManualTimer {
  readonly due: number;
  readonly order: number;
  readonly callback: () => void;
}

/** Moves only by its methods. Timers fire by due time, then by creation. */
export class ManualClock implements Clock {
  #now: number;
  #setBy = 0;
  #sleptMs = 0;
  #order = 0;
  readonly #timers = new Set<ManualTimer>();

  constructor(start = Date.UTC(2026, 0, 1)) {
    this.#now = start;
  }

  now(): number {
    return this.#now + this.#sleptMs + this.#setBy;
  }

  monotonic(): number {
    return this.#now;
  }

  sinceBoot(): number {
    return this.#now + this.#sleptMs;
  }

  /** The machine sleeps: timers stop, the wall clock continues. */
  sleep(ms: number): void {
    this.#sleptMs += ms;
  }

  /** Sets the wall clock by `ms`; timers are not affected. */
  setBy(ms: number): void {
    this.#setBy += ms;
  }

  after(ms: number, callback: () => void): Cancel {
    const timer = { due: this.#now + Math.max(0, ms), order: this.#order++, callback };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  advance(ms: number): void {
    const end = this.#now + ms;
    for (let next = this.#nextDue(end); next; next = this.#nextDue(end)) {
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.due);
      next.callback();
    }
    this.#now = end;
  }

  findNextDue(): number | null {
    return this.#nextDue(Infinity)?.due ?? null;
  }

  get pending(): number {
    return this.#timers.size;
  }

  #nextDue(end: number): ManualTimer | undefined {
    let first: ManualTimer | undefined;
    for (const timer of this.#timers) {
      if (timer.due > end) continue;
      if (!first || timer.due < first.due || (timer.due === first.due && timer.order < first.order))
        first = timer;
    }
    return first;
  }
}
