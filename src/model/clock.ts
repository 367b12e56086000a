/** An injectable clock: instants are integer milliseconds since 1970, timers are cancelled with the returned function. */

export type Cancel = () => void;

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

export function formatInstant(ms: number): string {
  return new Date(ms).toISOString();
}
