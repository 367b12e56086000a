/** An injectable clock: instants are integer milliseconds since 1970, timers are cancelled with the returned function. */

/** Cancels a timer. Without effect after the timer has fired, or the second time. */
export type Cancel = () => void;

/** Time, as the hub gives it to a channel: tests give another. */
export interface Clock {
  /** Wall clock, ms since 1970. May jump; only for what people see: timestamps, and deadlines, which move when it is set. */
  now(): number;
  /** Never goes back, ms with fractions; only differences are meaningful. */
  monotonic(): number;
  /** ms since the machine started, its sleep included; exact to a second. Nobody can set it; only differences are meaningful. */
  sinceBoot(): number;
  /** Calls back once after `ms`. The timer alone never keeps the process alive. */
  after(ms: number, callback: () => void): Cancel;
}

/** By how much the wall clock had been set, all in all, from `from` on. `from`: ms of a clock that was never set. */
export interface ClockStep {
  readonly from: number;
  readonly movedByMs: number;
}

/**
 * The offset of the wall clock when it showed `stamp`. Null: unknown, because it showed this more than once, or never. `steps`:
 * oldest first; `now`: its present value. No duration follows from two stamps of different offsets.
 */
export function findClockOffset(steps: readonly ClockStep[], stamp: number, now: number): number | null {
  const fitting = steps.filter(({ from, movedByMs }, at) => {
    const next = steps[at + 1];
    return stamp >= from + movedByMs && stamp <= (next ? next.from + movedByMs : now);
  });
  const [offset, ...others] = new Set(fitting.map(({ movedByMs }) => movedByMs));
  return offset === undefined || others.length > 0 ? null : offset;
}

export function formatInstant(ms: number): string {
  return new Date(ms).toISOString();
}
