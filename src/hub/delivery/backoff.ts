import type { Random } from "../../observe/random.js";
import { BACKOFF_FIRST_MS, BACKOFF_MAX_MS, CARD_BACKOFF_MAX_MS, CARD_TRIES_SOON } from "./limits.js";

/** `failures` counts earlier failures only. The result lies between half and all of the doubled step. */
export function computeBackoffMs(failures: number, random: Random): number {
  // More than 16 doublings exceed the cap anyway and would overflow.
  const step = Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** Math.min(failures, 16));
  return Math.round(step / 2 + (step / 2) * random.fraction());
}

/** The same for a card that people wait for: its first tries follow soon, so that it arrives within seconds of the service's return. */
export function computeCardBackoffMs(failures: number, random: Random): number {
  if (failures >= CARD_TRIES_SOON) return computeBackoffMs(failures - CARD_TRIES_SOON, random);
  return Math.min(CARD_BACKOFF_MAX_MS, computeBackoffMs(failures, random));
}
