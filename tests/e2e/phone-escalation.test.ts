/** `escalate` over real phones: after each step whom it names is told, gets a card with buttons, and decides like the first, once. */
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseDocument } from "yaml";
import { eventually } from "../support/hub-home.js";
import { Phone } from "../support/rig/phone.js";
import { withRig, type Rig } from "../support/rig/rig.js";

const CAT = 1003;
const SCRIPT = `printf 'Deploy to production? [y/N] '; read a; echo "got <$a>"; sleep 30`;

/** Ara is asked; then `lead`, who is Ben and gets the card to read from the start; then Cat, whom the route leaves out. */
const escalating = (
  steps: readonly [string, string],
  work: (rig: Rig, cat: Phone) => Promise<void>,
): Promise<void> =>
  withRig(
    async (rig) => {
      const { config: file, policy } = rig.home.paths;
      const config = parseDocument(readFileSync(file, "utf8"));
      config.addIn(["people"], { name: "Cat", identities: [`telegram:${CAT}`], role: "approver" });
      config.addIn(["channels", "telegram", "deliver_to"], CAT);
      config.setIn(["routes"], [{ deliver_to: ["telegram:1001", "telegram:1002"] }]);
      writeFileSync(file, String(config), { mode: 0o600 });
      const escalate = `[{ after: ${steps[0]}, to: lead }, { after: ${steps[1]}, to: Cat }]`;
      const rule = `{ id: production, match: { text: production }, ask: { approvers: [Ara], escalate: ${escalate} } }`;
      writeFileSync(policy, `version: 1\nmode: full\nroles: { lead: [Ben] }\nrules:\n  - ${rule}\n`);
      await work(rig, new Phone(rig.telegram, rig.telegram.user(CAT, "Cat")));
    },
    { ben: true },
  );

const reminders = ({ notices }: Phone): readonly string[] => notices.filter((text) => text.startsWith("⏰"));

describe.concurrent("a prompt that nobody answers", () => {
  it("goes to the next person at each step, who may answer from then on", () =>
    escalating(["4s", "8s"], async (rig, cat) => {
      const run = rig.run(["sh", "-c", SCRIPT], { label: "api" });
      const [aras, bens] = [await run.card(), await rig.ben.card("api")];
      expect(bens.text).toContain("only Ara may answer");
      bens.reply("yes");
      await rig.ben.notice(/^You may not answer this prompt/);

      await rig.phone.notice(/^⏰ .* lead \(Ben\) is now asked as well\. sh: Deploy to production\?$/);
      await bens.shows(/^⏫ You may answer now, too/);
      expect(bens.buttons).toEqual(["Yes", "No"]);
      expect([cat.cards.length, reminders(rig.ben).length]).toEqual([0, 1]);

      const cats = await cat.card("api");
      await rig.phone.notice(/^⏰ .* Cat is now asked as well\./);
      expect(await cats.pressAnswer("Yes")).toBe("Yes: accepted for sh");
      for (const card of [cats, aras, bens]) expect(await card.settled()).toBe("✅ Yes, by Cat, confirmed");
      await run.terminal.waitFor(/got <y>/);
      expect(rig.record.filter((line) => line.includes(" prompt_claimed "))).toHaveLength(1);
    }));

  it("has taken the steps that fell due while no hub ran, with one reminder", () =>
    escalating(["15s", "16s"], async (rig, cat) => {
      const run = rig.run(["sh", "-c", SCRIPT], { label: "api" });
      const bens = await rig.ben.card("api");
      const due = Date.now() + 16_000;
      await rig.home.run("hub", "stop");
      const before = reminders(rig.phone).length;
      await eventually(() => Date.now() > due);
      await rig.home.run("hub", "start");
      const cats = await cat.card("api");
      await bens.shows(/^⏫ You may answer now, too/);
      await rig.phone.notice(/^⏰ .* Cat is now asked as well\./);
      await bens.pressAnswer("No");
      expect(await cats.settled()).toBe("✅ No, by Ben, confirmed");
      await run.terminal.waitFor(/got <n>/);
      expect(reminders(rig.phone).length - before).toBe(1);
    }));
});
