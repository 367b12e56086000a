/**
 * No decision is lost and no prompt is answered twice or in place of another one when something breaks at any named step of an
 * answer's way (ADR 4). Hub, worker, terminal and chat are real processes.
 */
import { afterAll, describe, expect, it } from "vitest";
import { verifyStoreAudit } from "../../src/hub/store/verify-store.js";
import { buildArmed } from "./support/build.js";
import { FaultRig } from "./support/fault-rig.js";
import { describeCrossings, findings } from "./support/findings.js";
import { planRounds, STEPS } from "./support/plan.js";
import { Play } from "./support/play.js";

const ROUNDS = Number(process.env["ATB_FAULT_ROUNDS"] ?? 200);
const SEED = Number(process.env["ATB_FAULT_SEED"] ?? 1);
/** Of each step. A session may end before its step comes. */
const STRIKES_AT_LEAST = Math.max(1, Math.floor(ROUNDS / STEPS.length / 4));

describe(`${ROUNDS} rounds, seed ${SEED}`, () => {
  let rig: FaultRig | null = null;
  afterAll(async () => rig?.close());

  it("never lose a decision, never answer twice, never answer another question", async () => {
    rig = await FaultRig.start(await buildArmed());
    const play = new Play(rig);
    for (const round of planRounds(ROUNDS, SEED)) await play.round(round);
    await play.settle();
    const strikes = STEPS.map(
      (step) => [step, play.struck.filter((round) => round.step === step).length] as const,
    );
    const tools = rig.sessions.length;
    console.info(
      `  ${play.taps.length} taps, ${tools} sessions; strikes: ${strikes.map((pair) => pair.join(" ")).join(", ")}`,
    );
    const crossed = describeCrossings(rig);
    console.info(`  keys that crossed with a question's end: ${crossed.length}`);
    for (const line of crossed) console.info(`    ${line}`);
    expect(findings(rig, play)).toEqual([]);
    expect((await verifyStoreAudit({ path: rig.home.paths.database }))?.verdict).toMatchObject({
      intact: true,
    });
    expect(strikes.filter(([, count]) => count < STRIKES_AT_LEAST)).toEqual([]);
  });
});
