/** The short id by which people name a prompt: `answer k7 2`. */
import { assertInvariant } from "../../model/errors.js";
import { asId, type ShortId } from "../../model/ids.js";
import type { Ledger } from "../ledger/ledger.js";

/** An old card's id must not be reused soon: someone may still type it. */
const REST_MS = 7 * 24 * 60 * 60 * 1_000;

/** A few tries with two characters (961 ids), then longer ones, so that a busy week stays fast. */
const LENGTHS: readonly number[] = [2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6];

export function mintShortId(ledger: Ledger, now: number): ShortId {
  for (const length of LENGTHS) {
    const candidate = ledger.options.random.short(length);
    if (!ledger.store.prompts.isShortIdUsed(candidate, now - REST_MS)) return asId<ShortId>(candidate);
  }
  // With 31^6 ids, two collisions in a row are practically impossible even after millions of prompts in a week.
  assertInvariant(false, "no short id is free");
}
