/** Compares program versions (semantic versioning 2.0, §11). */

interface Parsed {
  readonly numbers: readonly [number, number, number];
  /** A pre-release version: `1.2.0-beta.1`. */
  readonly early: string | null;
}

const VERSION = /^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([0-9A-Za-z.-]{1,64}))?(?:\+[0-9A-Za-z.-]{0,64})?$/;

/** True if `a` is certainly newer than `b`. An invalid version is neither newer nor older than anything. */
export function isNewer(a: string, b: string): boolean {
  const [one, other] = [parse(a), parse(b)];
  return one !== null && other !== null && compare(one, other) > 0;
}

function parse(text: string): Parsed | null {
  const [, major, minor, patch, early = null] = VERSION.exec(text) ?? [];
  if (major === undefined) return null;
  return { numbers: [Number(major), Number(minor), Number(patch)], early };
}

function compare(a: Parsed, b: Parsed): number {
  const differing = a.numbers.map((number, at) => number - (b.numbers[at] ?? 0)).find((gap) => gap !== 0);
  return differing ?? compareEarly(a.early, b.early);
}

/** A release is newer than its pre-releases. */
function compareEarly(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const [mine, others] = [a.split("."), b.split(".")];
  for (let at = 0; at < Math.max(mine.length, others.length); at += 1) {
    const order = comparePart(mine[at], others[at]);
    if (order !== 0) return order;
  }
  return 0;
}

/** Numbers compare by value and before words; a version with fewer parts comes first. */
function comparePart(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
  const [one, other] = [a, b].map((part) => (/^\d{1,9}$/.test(part) ? Number(part) : null));
  if (one != null && other != null) return one - other;
  if (one != null || other != null) return one != null ? -1 : 1;
  return a === b ? 0 : a < b ? -1 : 1;
}
