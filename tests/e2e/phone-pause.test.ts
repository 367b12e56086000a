/** A pause in the middle of an answer stops it before its next key, and a resume does not continue it. */
import { describe, expect, it } from "vitest";
import { Habit } from "../support/rig/habits.js";
import { withRig } from "../support/rig/rig.js";

const DOWN = "\u001b[B";
/** Below what an answer waits for the effect of a key, and far above what a word in a chat takes. */
const KEY_MS = "1000";

describe("a pause in the middle of an answer", () => {
  it("stops the answer before its next key, says so, and a resume does not continue it", () =>
    withRig(async (rig) => {
      const slow = Habit.start(rig, "slow", { taking: "arrows", options: [KEY_MS] });
      const card = await slow.run.card();
      expect(card.buttons).toHaveLength(4);
      void card.press(4);
      await slow.hears(DOWN);
      rig.phone.user.send("pause");
      await rig.phone.notice(/^⏸ Paused/);
      const before = slow.received;
      expect(await card.settled()).toMatch(/^⚠️ No, by Ara: not applied \(AtlasBridge was paused; .*\)/);
      expect(slow.took).toEqual([]);

      // What still stands is asked anew; while it is paused nobody may answer.
      const again = await slow.run.card(2);
      expect(await again.press(4)).toMatch(/paused/);
      rig.phone.user.send("resume");
      await rig.phone.notice(/^▶️/);
      expect(slow.received).toBe(before);

      await again.press(4);
      expect(await again.settled()).toBe("✅ No, by Ara, confirmed");
      expect(slow.took).toEqual(["No"]);
    }));
});
