/** Computes the delay after the n-th failure. */
import type { Random } from "../../observe/random.js";
import { BACKOFF_FIRST_MS, BACKOFF_MAX_MS } from "./limits.js";

/** `failures` counts earlier failures only. The result lies between half and all of the doubled step. */
export function computeBackoffMs(failures: number, random: Random): number {
  // More than 16 doublings exceed the cap anyway and would overflow.
  const step = Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** Math.min(failures, 16));
  return Math.round(step / 2 + (step / 2) * random.fraction());
}
