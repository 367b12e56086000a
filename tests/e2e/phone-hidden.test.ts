/** A prompt with hidden characters is approved in Telegram and Slack by a second button and a number only, and is rejected in one step. */
import { describe, expect, it } from "vitest";
import { eventually } from "../support/hub-home.js";
import { withRig } from "../support/rig/rig.js";
import { withSlack } from "../support/rig/slack-desk.js";

/** Made here: no token stands in the repository. */
const TOKEN = `sk_live_${"9aZ3kQ7w".repeat(4)}`;
const SECOND = "⚠️ With 32 hidden: Yes";
const ASKS = ["sh", "-c", `printf 'Deploy with key ${TOKEN}? [y/N] '; read -r answer; echo "typed=$answer"`];

describe.concurrent("a question with hidden characters", () => {
  it("is approved in Telegram by the second button, which says how many characters are hidden, and the number of the terminal", () =>
    withRig(async (rig) => {
      const run = rig.run(ASKS);
      const card = await run.card();
      expect(card.text).not.toContain(TOKEN.slice(8, 20));
      expect(await card.press(1)).toContain("32 characters hidden");
      await eventually(() => card.buttons.includes(SECOND));
      expect(run.text).not.toContain("typed=");
      expect(card.buttons).toEqual([SECOND, "No"]);
      await run.pressWithNumber(card, 1);
      expect(await run.exited).toBe(0);
      expect(run.text).toContain("typed=y");
      expect(await card.settled()).toBe("✅ Yes, by Ara, confirmed");
    }));

  it("is approved in Slack the same way, with the number from `prompts`", () =>
    withSlack(async (rig, desk) => {
      const run = rig.run(ASKS);
      const card = await desk.card(run.label);
      await desk.connected();
      expect(await desk.press(card, "Yes")).toContain("32 characters hidden");
      expect(run.text).not.toContain("typed=");
      const changed = await eventually(
        () =>
          desk.cards.find(({ ts, blocks }) => ts === card.ts && JSON.stringify(blocks).includes(SECOND)) ??
          false,
      );
      expect(await desk.press(changed, SECOND)).toContain("needs the number");
      expect(run.text).not.toContain("typed=");
      const prompts = await rig.home.run("prompts");
      const [, shortId = "", number = ""] =
        /^([a-z0-9]+) [^]*needs the number ([1-9][0-9])$/m.exec(prompts.stdout) ?? [];
      expect(
        await desk.ara.command(`answer ${shortId} ${number}`, { channel: desk.place }).told(20_000),
      ).toContain("accepted");
      expect(await run.exited).toBe(0);
      expect(run.text).toContain("typed=y");
    }));

  it("is rejected in one step", () =>
    withRig(async (rig) => {
      const run = rig.run(ASKS);
      const card = await run.card();
      await card.pressAnswer("No");
      expect(await run.exited).toBe(0);
      expect(run.text).toContain("typed=n");
    }));
});
