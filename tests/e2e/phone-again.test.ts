/**
 * “Ask again” under an expired card raises the prompt anew while it stands in the terminal. It is not offered under an answered
 * card, nor to a stranger.
 */
import { describe, expect, it } from "vitest";
import { Habit } from "../support/rig/habits.js";
import { withRig } from "../support/rig/rig.js";

/** Long enough to tap the second card on a busy machine. */
const SOON = { prompts: { expires_after: "6s" } };

describe.concurrent("ask again", () => {
  it("under an expired card brings a new card while the prompt stands, and the new card answers it", () =>
    withRig(async (rig) => {
      const tool = Habit.start(rig, "digit-ignored", { taking: "arrows" });
      const card = await tool.run.card();
      expect(await card.settled()).toBe("⌛ Expired; AtlasBridge typed nothing");
      const listed = await rig.home.run("prompts", "--json");
      const unanswered = [{ shortId: card.shortId, state: "expired" }];
      expect(JSON.parse(listed.stdout)).toEqual({ status: "success", data: [], unanswered, unseen: [] });
      expect(await card.pressWords("🔁 Ask again")).toBe("🔁 Checking whether it is still asked.");
      const again = await tool.run.card(2);
      expect(again.shortId).not.toBe(card.shortId);
      await again.press(3);
      expect(await again.settled()).toBe("✅ No, by Ara, confirmed");
      expect(tool.took).toEqual(["No"]);
      expect(await card.shows(/asked again/)).toBe("⌛ Expired; AtlasBridge typed nothing · asked again");
      await expect(card.pressWords("🔁 Ask again")).rejects.toThrow("has no button");
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

  it("is not for a stranger, and not under a card that was answered", () =>
    withRig(async (rig) => {
      const tool = Habit.start(rig, "digit-moves", { taking: "arrows" });
      const card = await tool.run.card();
      await card.press(3);
      await card.settled();
      await expect(card.pressWords("🔁 Ask again")).rejects.toThrow("has no button");
      const second = await tool.run.card(2);
      expect(await second.settled()).toMatch(/^⌛/);
      expect(await second.pressWords("🔁 Ask again", rig.stranger)).toMatch(/may not answer/);
      expect(tool.run.cards).toHaveLength(2);
    }, SOON));
});
