/** A yes that takes more than a tap, from two phones and at a real terminal: a second person, and the number that its title shows. */
import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { eventually } from "../support/hub-home.js";
import { withRig, type Rig } from "../support/rig/rig.js";

const SCRIPT = `printf 'Deploy to production? [y/N] '; read a; echo "got <$a>"`;

const asking = (terms: string, work: (rig: Rig) => Promise<void>) =>
  withRig(
    async (rig) => {
      const rule = `  - { id: production, match: { text: production }, ask: { ${terms} } }\n`;
      writeFileSync(rig.home.paths.policy, `version: 1\nmode: full\nrules:\n${rule}`);
      await work(rig);
    },
    { ben: true },
  );

describe.concurrent("a rule that asks for more than a tap", () => {
  it("types a yes once two people have tapped it, and says so on both phones", () =>
    asking("quorum: 2", async (rig) => {
      const run = rig.run(["sh", "-c", SCRIPT], { label: "api" });
      const [aras, bens] = [await run.card(), await rig.ben.card("api")];
      expect(aras.text).toContain("2 different people must say yes");
      expect(await aras.pressAnswer("Yes")).toContain("1 of 2 said yes. Nothing was typed yet");
      await bens.shows(/1 of 2: Ara said “Yes”/);
      await aras.pressAnswer("Yes");
      expect(run.text).not.toContain("got");
      await bens.pressAnswer("Yes");
      await run.terminal.waitFor(/got <y>/);
      expect(await aras.settled()).toMatch(/^✅ Yes, by Ara and Ben, /);
    }));

  it("types a no of one of them at once", () =>
    asking("quorum: 2", async (rig) => {
      const run = rig.run(["sh", "-c", SCRIPT], { label: "api" });
      await (await run.card()).pressAnswer("Yes");
      await (await rig.ben.card("api")).pressAnswer("No");
      await run.terminal.waitFor(/got <n>/);
    }));

  it("takes the second yes only with the number that the first person was told", () =>
    asking("quorum: 2, number_match: true", async (rig) => {
      const run = rig.run(["sh", "-c", SCRIPT], { label: "api" });
      const [aras, bens] = [await run.card(), await rig.ben.card("api")];
      const told = await aras.pressAnswer("Yes");
      const [, number = ""] = /must write the number ([1-9][0-9])/.exec(told) ?? [];
      await bens.shows(/1 of 2: Ara said “Yes”/);
      // Its title, its time and its period hold digits of their own.
      expect(bens.text.replace(/^api · .*$|^⏳ .*$/gm, "")).not.toContain(number);
      expect(await bens.pressAnswer("Yes")).toContain("needs the number");
      expect(run.text).not.toContain("got");
      bens.reply(number);
      await run.terminal.waitFor(/got <y>/);
      expect(await aras.settled()).toMatch(/^✅ Yes, by Ara and Ben, /);
    }));

  it("takes a tap of nobody but its approvers", () =>
    asking("approvers: [Ben]", async (rig) => {
      const run = rig.run(["sh", "-c", SCRIPT], { label: "api" });
      const [aras, bens] = [await run.card(), await rig.ben.card("api")];
      expect(aras.text).toContain("only Ben may answer");
      aras.reply("yes");
      await rig.phone.notice(/^You may not answer this prompt/);
      expect(run.text).not.toContain("got");
      await bens.pressAnswer("No");
      await run.terminal.waitFor(/got <n>/);
    }));

  it("types a yes with the number of the window's title, through a restart of the hub", () =>
    asking("number_match: true", async (rig) => {
      const run = rig.run(["sh", "-c", SCRIPT], { label: "api" });
      const card = await run.card();
      const shown = new RegExp(`\\u001b\\]2;🔢 ${card.shortId}: ([1-9][0-9])`);
      const number = await eventually(() => shown.exec(run.text)?.[1] ?? null);
      expect((await rig.home.run("prompts", "--number", card.shortId)).stdout).toBe(`${number}\n`);
      expect(await card.pressAnswer("Yes")).toContain("needs the number at the tool's terminal");
      await rig.killHub();
      await rig.hubPid();
      card.reply(number);
      await run.terminal.waitFor(/got <y>/);
      await card.settled();
    }));
});
