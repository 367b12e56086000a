/**
 * A key that went to another prompt, to a list without a rule or to a screen that cannot be read, is never reported as answered, in
 * 20,000 races (`npm run test:security`).
 */
import { describe, expect, it } from "vitest";
import { seeded } from "../support/seeded.js";
import { scaleCount } from "./support/scale.js";
import { SwapRig, type Race, type Ran } from "./support/swap-races.js";

const RACES = scaleCount(20_000, 200);
/** Tools side by side; each waits most of the time. */
const RIGS = 2;
const SEED = 9;
/** All of it takes twenty minutes. */
const TIMEOUT_MS = 7_200_000;
/** Keys go in within a few milliseconds: swaps in that time are the ones that can be in between. */
const SWAP_WITHIN_MS = 45;
const CLOSE_SWAP_WITHIN_MS = 8;
const UNCERTAIN_MAX = 0.005;
/** A stall of the machine in a short run proves nothing about the rate. */
const STALLS_MAX = 3;

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

describe("the receipt of an answer", () => {
  it(
    `never says "answered" where another question took the key: ${RACES} races`,
    async () => {
      const random = seeded(SEED);
      const ran: (Ran & { race: Race })[] = [];
      const rigs = await Promise.all(Array.from({ length: RIGS }, () => new SwapRig().start()));
      await Promise.all(
        rigs.map(async (rig) => {
          while (ran.length < RACES) {
            const race = makeRace(random);
            ran.push({ race, ...(await rig.run(race)) });
          }
          await rig.close();
        }),
      );
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
          `${unswapped.length} without a swap, ${uncertain.length} not "answered" (${byKind.join(", ")})`,
      );
      const doubts = new Map<string, number>();
      for (const { outcome, evidence } of uncertain)
        doubts.set(`${outcome}: ${evidence}`, (doubts.get(`${outcome}: ${evidence}`) ?? 0) + 1);
      console.log([...doubts].map(([doubt, count]) => `  ${count} ${doubt}`).join("\n"));
      expect(wrong).toEqual([]);
      expect(uncertain.length).toBeLessThanOrEqual(Math.max(STALLS_MAX, UNCERTAIN_MAX * unswapped.length));
    },
    TIMEOUT_MS,
  );
});
