/** Times with their unit, as people write them: `30m`, `5s`, `250ms`. */

export const DURATION = /^(\d{1,6})(ms|s|m|h|d)$/;
export const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
/** A longer deadline is a mistake (and exceeds what a timer can hold). */
export const DEADLINE_MAX_DAYS = 7;

/** In ms. `text` matches DURATION. */
export function toMs(text: string): number {
  const [, amount, unit] = DURATION.exec(text) ?? [];
  return Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS];
}
