/** Time as a seam: instants are integer milliseconds since 1970, timers are cancelled by the returned function. */

export type Cancel = () => void;

export interface Clock {
  /** Wall clock, ms since 1970. May jump; only for stamps and deadlines that people see. */
  now(): number;
  /** Never goes back, ms with fractions; only differences mean something. */
  monotonic(): number;
  /** Calls back once after `ms`. The timer never keeps the process alive by itself. */
  after(ms: number, callback: () => void): Cancel;
}

export function isoInstant(ms: number): string {
  return new Date(ms).toISOString();
}
