/**
 * “Ask again” under an expired card raises the prompt anew while it stands in the terminal. It is not offered under an answered
 * card, nor to a stranger.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseDocument } from "yaml";
import { Habit } from "../support/rig/habits.js";
import { type Rig, withRig } from "../support/rig/rig.js";

const SOON = { prompts: { expires_after: "3s" } };

/** From now on no new prompt expires while the test runs. */
async function stopExpiring({ home }: Rig): Promise<void> {
  const config = parseDocument(readFileSync(home.paths.config, "utf8"));
  config.setIn(["prompts", "expires_after"], "1h");
  writeFileSync(home.paths.config, String(config), { mode: 0o600 });
  expect((await home.run("hub", "reload")).code).toBe(0);
}

describe.concurrent("ask again", () => {
  it("under an expired card brings a new card, which answers the prompt, and is not for a stranger", () =>
    withRig(async (rig) => {
      const tool = Habit.start(rig, "digit-ignored", { taking: "arrows" });
      const card = await tool.run.card();
      expect(await card.settled()).toBe("⌛ Expired; AtlasBridge typed nothing");
      const listed = await rig.home.run("prompts", "--json");
      const unanswered = [{ shortId: card.shortId, state: "expired" }];
      expect(JSON.parse(listed.stdout)).toEqual({ status: "success", data: [], unanswered, unseen: [] });
      await stopExpiring(rig);
      expect(await card.pressWords("🔁 Ask again", rig.stranger)).toMatch(/may not answer/);
      expect(await card.pressWords("🔁 Ask again")).toBe("🔁 Checking whether it is still asked.");
      const again = await tool.run.card(2);
      expect(again.shortId).not.toBe(card.shortId);
      await again.press(3);
      expect(await again.settled()).toBe("✅ No, by Ara, confirmed");
      expect(tool.took).toEqual(["No"]);
      expect(await card.shows(/asked again/)).toBe("⌛ Expired; AtlasBridge typed nothing · asked again");
      for (const each of [card, again])
        await expect(each.pressWords("🔁 Ask again")).rejects.toThrow("has no button");
      expect((await rig.prompts()).map(({ state }) => state)).toEqual(["expired", "answered"]);
    }, SOON));

  it("says that the prompt is gone, and raises nothing", () =>
    withRig(async (rig) => {
      const tool = Habit.start(rig, "closes", { taking: "arrows" });
      const card = await tool.run.card();
      await card.settled();
      process.kill(tool.pid, "SIGUSR1");
      await tool.run.terminal.waitFor(/Tell me what to do/);
      await card.pressWords("🔁 Ask again");
      expect(await card.shows(/gone/)).toBe("⌛ Expired; AtlasBridge typed nothing · the prompt is gone");
      expect(tool.run.cards).toHaveLength(1);
      expect(tool.received).toBe("");
    }, SOON));
});
