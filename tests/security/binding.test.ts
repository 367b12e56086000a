import { describe, expect, it } from "vitest";
import { seeded } from "../support/seeded.js";
import { runRounds } from "./support/binding-rounds.js";
import { scaleCount } from "./support/scale.js";

const ROUNDS = scaleCount(100_000, 500);
/** Of one pair of screens so many edits are tried. */
const PER_BASE = 20;
const SEED = 15;
/** All of it takes half an hour on two cores. */
const TIMEOUT_MS = 7_200_000;

describe("a key goes only into the text that was on the card", () => {
  it(
    `whatever one edit changes, wherever, at whatever instant: ${ROUNDS} pairs`,
    async () => {
      const started = performance.now();
      const random = seeded(SEED);
      const tally = await runRounds(ROUNDS, PER_BASE, (n) => Math.floor(random() * n));
      const seconds = Math.round((performance.now() - started) / 1000);
      console.log(
        `binding: ${tally.pairs} pairs (${tally.alike} differ by blanks alone), ${tally.controls} controls, ` +
          `${tally.wrong.length} keys into the second screen, ${tally.refused.length} controls refused, ${seconds} s`,
      );
      expect(tally.wrong).toEqual([]);
      expect(tally.unasked).toEqual([]);
      expect(tally.refused).toEqual([]);
      expect(tally.alike).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );
});
