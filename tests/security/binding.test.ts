/** No key goes into the second of 40,000 pairs of screens that differ by one edit (`npm run test:security`). */
import { describe, expect, it } from "vitest";
import { seeded } from "../support/seeded.js";
import { runRounds } from "./support/binding-rounds.js";
import { SIZES } from "./support/edited-screens.js";
import { PuppetRig, type Pair } from "./support/puppet-pairs.js";
import { BULK_HANG_MS, scaleCount, SEED } from "./support/scale.js";

const ROUNDS = scaleCount(40_000, 1_000);
/** Of one pair of screens so many edits are tried. */
const PER_BASE = 20;
/** Through a real terminal. */
const PUPPET_PAIRS = scaleCount(300, 12);

describe("a key goes only into the text that was on the card", () => {
  it(
    `after any one edit, at any place and at any moment: ${ROUNDS} pairs`,
    async () => {
      const random = seeded(SEED);
      const tally = await runRounds(ROUNDS, PER_BASE, (n) => Math.floor(random() * n));
      console.log(
        `binding: ${tally.pairs} pairs (${tally.alike} differ by blanks alone), ${tally.controls} controls, ` +
          `${tally.wrong.length} keys into the second screen, ${tally.refused.length} controls refused`,
      );
      expect(tally.wrong).toEqual([]);
      expect(tally.unasked).toEqual([]);
      expect(tally.refused).toEqual([]);
      expect(tally.alike).toBeGreaterThan(0);
    },
    BULK_HANG_MS,
  );

  it(
    `through a real terminal: ${PUPPET_PAIRS} pairs`,
    async () => {
      const random = seeded(SEED);
      const pairs: Pair[] = [];
      for (const size of SIZES) {
        const rig = await new PuppetRig(size).start();
        const mine: Pair[] = [];
        while (mine.length < PUPPET_PAIRS / SIZES.length) {
          const pair = await rig.run((n) => Math.floor(random() * n));
          if (pair) mine.push(pair);
        }
        pairs.push(...mine);
        await rig.close();
      }
      const controls = pairs.filter(({ isControl }) => isControl);
      const wrong = pairs.filter(({ isControl, keys }) => !isControl && keys !== "");
      const refused = controls.filter(({ keys }) => keys === "");
      console.log(
        `binding: ${pairs.length - controls.length} pairs in a real terminal, ${controls.length} drawn anew, ` +
          `${wrong.length} keys into the second screen, ${refused.length} redraws refused`,
      );
      expect(wrong).toEqual([]);
      // Redraws without an edit are answered, so the pairs were refused because of their edits.
      expect(controls.length).toBeGreaterThan(0);
      expect(refused).toEqual([]);
    },
    BULK_HANG_MS,
  );
});
