/** What destroys goes to whom a route for its class names, and it alone rings in quiet hours and is reminded of. */
import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parseDocument } from "yaml";
import { eventually } from "../support/hub-home.js";
import { JoinedRun } from "../support/rig/joined.js";
import { withRig, type Rig } from "../support/rig/rig.js";

const HOUR_MS = 3_600_000;
const HARMLESS = "touch made.txt";
const DESTRUCTIVE = "rm -rf build";

/** As the configuration writes a time of day. */
function formatTime(ms: number): string {
  return new Date(ms).toTimeString().slice(0, 5);
}

/** What destroys goes to Ben and rings; all else goes to Ara, silently, for it is night. */
function configure({ home }: Rig): void {
  const config = parseDocument(readFileSync(home.paths.config, "utf8"));
  config.setIn(
    ["routes"],
    [
      { classes: ["destructive"], deliver_to: ["telegram:1002"], approvers: ["Ben"] },
      { deliver_to: ["telegram:1001"] },
    ],
  );
  const [from, to] = [formatTime(Date.now() - HOUR_MS), formatTime(Date.now() + HOUR_MS)];
  config.set("quiet_hours", { from, to, urgent: ["destructive"] });
  writeFileSync(home.paths.config, String(config), { mode: 0o600 });
}

it("goes to the person of its class and rings there, while the rest waits silently elsewhere", () =>
  withRig(
    async (rig) => {
      configure(rig);
      await JoinedRun.with(rig, {}, async (tool) => {
        await tool.becomesKnown();
        tool.draws(HARMLESS);
        tool.asks(1, HARMLESS);
        const aras = await tool.run.card();
        tool.asks(2, DESTRUCTIVE);
        const bens = await rig.ben.card("joined");
        expect([aras.content, aras.message.silent]).toEqual([expect.stringContaining(HARMLESS), true]);
        expect([bens.content, bens.message.silent]).toEqual([expect.stringContaining(DESTRUCTIVE), false]);
        // Reminders of both are due: hers waits for the end of the night.
        await rig.ben.notice(new RegExp(`^⏰ ${bens.shortId} is still waiting for an answer`));

        rig.phone.user.send(`answer ${bens.shortId} 3`);
        await rig.phone.notice(/^You may not answer this prompt\.$/);
        expect(tool.server.answers).toEqual([]);
        await tool.run.pressWithNumber(bens, 1);
        await eventually(() => tool.server.answers.length === 1);
        tool.server.resolve("mine", 2);
        expect(await bens.settled()).toBe("✅ Yes, by Ben, taken by codex");

        await aras.pressAnswer("3. No");
        await eventually(() => tool.server.answers.length === 2);
        tool.goesOn(1);
        expect(await aras.settled()).toBe("✅ No, by Ara, confirmed");
        expect([rig.phone.cards.length, rig.ben.cards.length]).toEqual([1, 1]);
        expect(rig.phone.notices.filter((text) => text.startsWith("⏰"))).toEqual([]);
      });
    },
    { ben: true, prompts: { remind_after: ["3s"] } },
  ));
