/** A tool that a run has joined through its server is answered by its protocol or at its keyboard, and its open prompts end with it. */
import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { eventually } from "../support/hub-home.js";
import { JoinedRun } from "../support/rig/joined.js";
import { withRig } from "../support/rig/rig.js";

const COMMAND = "rm -rf build";

describe.concurrent("a tool that a run has joined", () => {
  it("is answered by its protocol without a key, or at its keyboard", () =>
    withRig((rig) =>
      JoinedRun.with(rig, {}, async (tool) => {
        await tool.becomesKnown();
        tool.asks(1, COMMAND);
        tool.draws(COMMAND);
        const card = await tool.run.card(1);
        expect(card.content).toContain(`/bin/bash -lc '${COMMAND}'`);
        await tool.run.pressWithNumber(card, 1);
        await eventually(() => tool.server.answers.length > 0);
        expect(tool.server.answers).toEqual([{ id: 1, result: { decision: "accept" } }]);
        tool.goesOn(1);
        expect(await card.settled()).toMatch(/^✅ .*, by Ara, confirmed$/);
        expect(tool.heard).toBe("");

        tool.asks(2, "touch made.txt");
        tool.draws("touch made.txt");
        const second = await tool.run.card(2);
        await tool.run.terminal.waitFor(/\$ touch made\.txt/);
        tool.run.terminal.press("y");
        await eventually(() => tool.heard === "y");
        tool.goesOn(2);
        expect(await second.settled()).toMatch(/^⌨️ Answered at the terminal/);
        expect(tool.server.answers).toHaveLength(1);
        expect(tool.run.cards).toHaveLength(2);
      }),
    ));

  it("is told the plain No of a rule that denies, beside one that would stop its turn", () =>
    withRig((rig) => {
      const rule = "{ id: never, match: { command: [rm -rf] }, deny: Nothing is deleted here. }";
      writeFileSync(rig.home.paths.policy, `version: 1\nmode: full\nrules:\n  - ${rule}\n`);
      return JoinedRun.with(rig, {}, async (tool) => {
        await tool.becomesKnown();
        tool.asks(1, COMMAND);
        tool.draws(COMMAND);
        await eventually(() => tool.server.answers.length > 0);
        tool.goesOn(1);
        await eventually(async () => (await rig.prompts())[0]?.state === "answered");
        expect(tool.server.answers).toEqual([{ id: 1, result: { decision: "decline" } }]);
        expect([tool.heard, rig.phone.cards.length]).toEqual(["", 0]);
        expect(rig.record.join("\n")).toContain('"by":"the policy (rule never)"');
      });
    }));

  it("ends its prompts when it ends, whether they were drawn or not", () =>
    withRig((rig) =>
      JoinedRun.with(rig, {}, async (tool) => {
        await tool.becomesKnown();
        tool.asks(1, COMMAND);
        tool.draws(COMMAND);
        tool.asks(2, "touch made.txt");
        const cards = [await tool.run.card(1), await tool.run.card(2)];
        await tool.run.terminal.waitFor(/\$ rm -rf build/);
        tool.exits();
        await tool.run.exited;
        for (const card of cards)
          expect(await card.settled()).toBe("⏹ The session ended; AtlasBridge typed nothing");
      }),
    ));

  it.each([
    ["if its user wants its screen to be read alone", { flags: ["--no-hooks"] }],
    ["if it was started with settings, with which it has no server", { args: ["-c", "model=other"] }],
  ])("is not joined %s", (_, options) =>
    withRig((rig) =>
      JoinedRun.with(rig, options, async (tool) => {
        tool.draws(COMMAND);
        const card = await tool.run.card(1);
        expect(card.content).toContain(`$ ${COMMAND}`);
        await tool.run.pressWithNumber(card, 1);
        await eventually(() => tool.heard !== "");
        expect(tool.server.clients).toBe(0);
      }),
    ),
  );
});
