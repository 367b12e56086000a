/** Delays and time limits, for channels that call a service and reconnect to it. */
import type { Clock } from "../model/clock.js";

/** Resolves after `ms`, or at once when `stop` fires. Never rejects. */
export function wait(clock: Clock, ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (stop.aborted) {
      resolve();
      return;
    }
    const finish = (): void => {
      cancel();
      stop.removeEventListener("abort", finish);
      resolve();
    };
    const cancel = clock.after(ms, finish);
    stop.addEventListener("abort", finish);
  });
}

/** How long a call may take, in ms. */
export interface TimeLimit {
  readonly limitMs: number;
  /** Aborts the call before its time is up. */
  readonly stop?: AbortSignal | undefined;
}

/** Runs `call` with a signal that fires when the time is up or `stop` does. What the call then does is its own business. */
export async function withTimeLimit<T>(
  clock: Pick<Clock, "after">,
  { limitMs, stop }: TimeLimit,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeUp = new AbortController();
  const cancel = clock.after(limitMs, () => timeUp.abort());
  try {
    return await call(stop === undefined ? timeUp.signal : AbortSignal.any([stop, timeUp.signal]));
  } finally {
    cancel();
  }
}

/** `base` doubled with every attempt (from 1) up to `max`, then randomized. `random` is in 0..1. */
export function computeDelay(base: number, max: number, attempt: number, random: number): number {
  // 2^20 exceeds every maximum; a larger exponent only risks Infinity.
  return addJitter(Math.min(max, base * 2 ** Math.min(attempt - 1, 20)), random);
}

/** Half fixed, half random: never zero, and different on each machine. */
export function addJitter(ms: number, random: number): number {
  return Math.round(ms / 2 + (ms / 2) * random);
}
