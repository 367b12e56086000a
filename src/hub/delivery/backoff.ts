/** How long to wait after the n-th failure. */
import type { Random } from "../../observe/random.js";
import { BACKOFF_FIRST_MS, BACKOFF_MAX_MS } from "./limits.js";

/** `failures` so far, this one not counted. Between half and all of the doubled step. */
export function backoffMs(failures: number, random: Random): number {
  // 2^16 steps are beyond the cap; a larger exponent would only overflow.
  const step = Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** Math.min(failures, 16));
  return Math.round(step / 2 + (step / 2) * random.fraction());
}
