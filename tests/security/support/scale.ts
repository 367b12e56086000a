/** How much of a suite runs, and with which random choices. */
import { TEST_HANG_MS } from "../../support/hang-guards.js";

/** The part of the full number of attempts that is run, in (0, 1]. `npm run verify` runs all of them, the gate a part. */
const SCALE = readNumber("ATB_SECURITY_SCALE", 1);
if (SCALE <= 0 || SCALE > 1)
  throw new Error(`ATB_SECURITY_SCALE must be above 0 and at most 1, not ${SCALE}.`);

/** Random choices are the same in every run unless another seed is set. */
export const SEED = readNumber("ATB_SECURITY_SEED", 15);

/** How many of `full` attempts this run makes; never fewer than `least`, below which a suite would prove nothing. */
export function scaleCount(full: number, least: number): number {
  return Math.min(full, Math.max(least, Math.round(full * SCALE)));
}

/** Ends a hang of a test that makes many attempts. */
export const BULK_HANG_MS = scaleCount(7_200_000, TEST_HANG_MS);

function readNumber(name: string, otherwise: number): number {
  const text = process.env[name];
  const value = text === undefined ? otherwise : Number(text);
  if (!Number.isFinite(value)) throw new Error(`${name} must be a number, not "${text}".`);
  return value;
}
