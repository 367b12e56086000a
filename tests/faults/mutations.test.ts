/** The rounds of faults find a broken product: three of its guards are removed, one at a time, and each time something is found. */
import { describe, expect, it } from "vitest";
import { buildArmed, type Change } from "./support/build.js";
import { FaultRig } from "./support/fault-rig.js";
import { findings } from "./support/findings.js";
import type { Round } from "./support/plan.js";
import { Play } from "./support/play.js";

const ROUNDS = 4;

const MUTATIONS: readonly [
  what: string,
  name: string,
  round: Round,
  changes: readonly Change[],
  finding: RegExp,
][] = [
  [
    "the epoch is not looked at before a key",
    "no-epoch",
    { step: "before_text", fault: "twin" },
    [
      {
        file: "src/worker/answer/preconditions.ts",
        from: "this.#options.isCurrent?.() === false",
        to: "false",
      },
    ],
    /nobody had tapped/,
  ],
  [
    "a nonce can be claimed again: the UPDATE has no guard, nor has what is read before it",
    "no-nonce-guard",
    { step: "before_text", fault: "second_tap" },
    [
      {
        file: "src/hub/store/tables/prompts.ts",
        from: "WHERE prompt_id = @promptId AND state = @fromState AND nonce IS @fromNonce",
        to: "WHERE prompt_id = @promptId",
      },
      {
        file: "src/hub/prompts/claim.ts",
        from: 'prompt.state !== "pending"',
        to: '!["pending", "answering", "injecting"].includes(prompt.state)',
      },
      {
        file: "src/model/lifecycle.ts",
        from: 'injection_began: { state: "injecting", effects: [] },',
        to: 'injection_began: { state: "injecting", effects: [] }, claimed: { state: "answering", effects: [] },',
      },
      {
        file: "src/model/lifecycle.ts",
        from: '"receipt:answered": { state: "answered", effects: ["settle"] },',
        to: '"receipt:answered": { state: "answered", effects: ["settle"] }, claimed: { state: "answering", effects: [] },',
      },
    ],
    /was answered, and its cards say|nobody had tapped|stuck/,
  ],
  [
    "the screen is not looked at again before Enter",
    "no-recheck",
    { step: "between_text_and_enter", fault: "other" },
    [
      {
        file: "src/worker/answer/inject.ts",
        from: "const moment = await this.#awaitReady(step, before);",
        to: "const moment = last && i > 0 ? this.#preconditions.capture() : await this.#awaitReady(step, before);",
      },
    ],
    /nobody had tapped/,
  ],
];

describe("no finding in the same rounds", () => {
  it("of the product as it is", async () => {
    const rig = await FaultRig.start(await buildArmed("whole"));
    const play = new Play(rig);
    try {
      for (const [, , round] of MUTATIONS) await play.round(round);
      await play.settle();
      expect(findings(rig, play)).toEqual([]);
    } finally {
      await rig.close();
    }
  });
});

describe("a finding in the rounds when", () => {
  it.each(MUTATIONS)("%s", async (_what, name, round, changes, finding) => {
    const rig = await FaultRig.start(await buildArmed(name, changes));
    const play = new Play(rig);
    const found: string[] = [];
    try {
      for (let n = 0; n < ROUNDS; n += 1) {
        const stuck = await play.round(round).then(
          () => [],
          (error: unknown) => [String(error)],
        );
        found.push(...stuck, ...findings(rig, play).filter((early) => !isEarly(early)));
        if (found.length > 0) break;
      }
      await play.settle();
      found.push(...findings(rig, play));
      console.info(`  ${name}: ${(found[0] ?? "").split("\n")[0] ?? ""}`);
      expect(found.join("\n")).toMatch(finding);
    } finally {
      await rig.close();
    }
  });
});

/** Cards need a moment to say what became of them. */
function isEarly(finding: string): boolean {
  return /never said|its cards say/.test(finding);
}
