/** Formats instants and durations for people. Pure. An age is said only where it follows from the clock. */

const UNITS = [
  { name: "d", ms: 86_400_000 },
  { name: "h", ms: 3_600_000 },
  { name: "min", ms: 60_000 },
  { name: "s", ms: 1_000 },
] as const;

const MINUTE_CHARS = "2026-01-01T12:00".length;
const NO_AGE = "(the clock was set meanwhile)";

/** In the largest unit that gives at least one: `28 min`. Below 0: `0 s`. */
export function formatDuration(ms: number): string {
  const unit = UNITS.find((candidate) => ms >= candidate.ms) ?? UNITS[3];
  return `${Math.max(0, Math.floor(ms / unit.ms))} ${unit.name}`;
}

/** `2026-01-01 12:00 UTC`. */
export function formatStamp(instant: string): string {
  return `${new Date(instant).toISOString().slice(0, MINUTE_CHARS).replace("T", " ")} UTC`;
}

/** An instant among the listings' fields, and the names of those that an earlier setting of the clock stamped. */
export interface Stamped {
  readonly clockSetSince?: readonly string[] | undefined;
}

/**
 * Ms from the instant `field` to `until` (ms since 1970); null where that does not follow from the clock: it was set meanwhile, or
 * shows an earlier time than the instant.
 */
export function measureAge<K extends string>(
  of: Stamped & Readonly<Record<K, string>>,
  field: K,
  until: number,
): number | null {
  const age = until - Date.parse(of[field]);
  return age < 0 || of.clockSetSince?.includes(field) ? null : age;
}

/** `3 h ago`; where no age is known, what the clock showed: `at 2026-01-01 12:00 UTC (the clock was set meanwhile)`. */
export function describeAgo<K extends string>(
  of: Stamped & Readonly<Record<K, string>>,
  field: K,
  now: number,
): string {
  const age = measureAge(of, field, now);
  return age === null ? `at ${formatStamp(of[field])} ${NO_AGE}` : `${formatDuration(age)} ago`;
}

/** `for 3 h`, likewise `since 2026-01-01 12:00 UTC (the clock was set meanwhile)`. */
export function describeSpan<K extends string>(
  of: Stamped & Readonly<Record<K, string>>,
  field: K,
  until: number,
): string {
  const age = measureAge(of, field, until);
  return age === null ? `since ${formatStamp(of[field])} ${NO_AGE}` : `for ${formatDuration(age)}`;
}
