/** What a log of calls says about limits: no sum over buckets, only counting. */

/** The most of these instants that lie within any `spanMs`. */
export function mostWithin(instants: readonly number[], spanMs: number): number {
  const sorted = instants.toSorted((a, b) => a - b);
  let from = 0;
  return sorted.reduce((most, at, index) => {
    while (at - (sorted[from] ?? at) >= spanMs) from += 1;
    return Math.max(most, index - from + 1);
  }, 0);
}
