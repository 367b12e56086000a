/** No key goes into the second of 10,000 pairs of permissions, drawn at two sizes, that differ by a row end or a blank. */
import { describe, expect, it } from "vitest";
import { seeded } from "../support/seeded.js";
import { runResizedRounds } from "./support/resized-rounds.js";
import { BULK_HANG_MS, scaleCount, SEED } from "./support/scale.js";

const PAIRS = scaleCount(10_000, 150);

describe("after a resize a key goes only into the rows that were on the card", () => {
  it(
    `of six agents at any two sizes, with a row end or a blank changed: ${PAIRS} pairs`,
    async () => {
      const random = seeded(SEED);
      const tallies = await runResizedRounds(PAIRS, (n) => Math.floor(random() * n));
      for (const [tool, { pairs, wrappedAlike, kept, wrapped, wrong, refused, unasked }] of tallies)
        console.log(
          `resized: ${tool}: ${pairs} pairs (${wrappedAlike} drawn as the first would be), ${wrong.length} keys, ` +
            `${unasked.length} without a card, ${kept} in the same rows kept, ${refused.length} not, ${wrapped} in others`,
        );
      const all = [...tallies.values()];
      expect(all.flatMap(({ wrong }) => wrong)).toEqual([]);
      expect(all.flatMap(({ unasked }) => unasked)).toEqual([]);
      expect(all.flatMap(({ refused }) => refused)).toEqual([]);
      expect(all.filter(({ pairs, kept }) => pairs === 0 || kept === 0)).toEqual([]);
      expect(tallies.size).toBe(6);
    },
    BULK_HANG_MS,
  );
});
