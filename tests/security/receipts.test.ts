/**
 * A key that went to another prompt, to a list without a rule or to a screen that cannot be read, is never reported as answered, in
 * 10,000 races (`npm run test:security`).
 */
import { describe, expect, it } from "vitest";
import { seeded } from "../support/seeded.js";
import { BULK_HANG_MS, scaleCount, SEED } from "./support/scale.js";
import { SwapRig, type Race, type Ran } from "./support/swap-races.js";

const ALL_RACES = 10_000;
const RACES = scaleCount(ALL_RACES, 200);
/** Tools side by side; each waits most of the time. */
const RIGS = 2;
/** Keys go in within a few milliseconds: swaps in that time are the ones that can be in between. */
const SWAP_WITHIN_MS = 45;
const CLOSE_SWAP_WITHIN_MS = 8;
/** The share of undisturbed answers without a proof, on a quiet machine. */
const UNCERTAIN_BAR = 0.005;

function makeRace(random: () => number): Race {
  const isSwapped = random() < 0.5;
  const within = random() < 0.5 ? CLOSE_SWAP_WITHIN_MS : SWAP_WITHIN_MS;
  const [swapAfterMs, busyMs] = [Math.floor(random() * within), random() < 0.3 ? 3 : 0];
  const then = random() < 0.6 ? "done" : random() < 0.5 ? "later" : "next";
  const kind = random();
  const as = kind < 0.4 ? "dialog" : kind < 0.7 ? "list" : "picture";
  const draws = random() < 0.4 ? "whole" : random() < 0.5 ? "changes" : "update";
  return { then, swapAfterMs: isSwapped ? swapAfterMs : null, as, busyMs, draws };
}

async function runRaces(random: () => number): Promise<(Ran & { race: Race })[]> {
  const rig = await new SwapRig().start();
  try {
    const ran: (Ran & { race: Race })[] = [];
    while (ran.length < RACES / RIGS) {
      const race = makeRace(random);
      ran.push({ race, ...(await rig.run(race)) });
    }
    return ran;
  } finally {
    await rig.close();
  }
}

describe("the receipt of an answer", () => {
  it(
    `never says "answered" where another question took the key: ${RACES} races`,
    async () => {
      const runs = await Promise.all(Array.from({ length: RIGS }, (_, rig) => runRaces(seeded(SEED + rig))));
      const ran = runs.flat();
      const overtaken = ran.filter(({ asked, took }) => took !== null && took !== asked);
      const wrong = ran.filter(({ outcome, asked, took }) => outcome === "answered" && took !== asked);
      const unswapped = ran.filter(({ race }) => race.swapAfterMs === null);
      const uncertain = unswapped.filter(({ outcome }) => outcome !== "answered");
      const byKind = ["done", "later", "next"].map((kind) => {
        const all = unswapped.filter(({ race }) => race.then === kind);
        return `${kind} ${all.filter(({ outcome }) => outcome !== "answered").length} of ${all.length}`;
      });
      console.log(
        `receipts: ${ran.length} races, ${overtaken.length} keys met another question, ${wrong.length} of them "answered"; ` +
          `${unswapped.length} without a swap, ${uncertain.length} not "answered" (${byKind.join(", ")}), ` +
          `bar ${Math.ceil(UNCERTAIN_BAR * unswapped.length)}`,
      );
      const doubts = new Map<string, number>();
      for (const { outcome, evidence } of uncertain)
        doubts.set(`${outcome}: ${evidence}`, (doubts.get(`${outcome}: ${evidence}`) ?? 0) + 1);
      console.log([...doubts].map(([doubt, count]) => `  ${count} ${doubt}`).join("\n"));
      expect(wrong).toEqual([]);
      // A product that types nothing, or proves nothing, would never say "answered" wrongly.
      expect(uncertain.length).toBeLessThan(unswapped.length / 2);
      // A few keys of a hundred meet another question, so that a small part of the races may have none.
      if (RACES === ALL_RACES) expect(overtaken.length).toBeGreaterThan(0);
    },
    BULK_HANG_MS,
  );
});
