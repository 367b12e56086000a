/** A tool whose hooks hold nothing: they tell what its dialog cuts, and what it said last. */
import { describe, expect, it } from "vitest";
import { withRig } from "../support/rig/rig.js";
import { COMMAND, startTeller } from "../support/rig/teller.js";

const WORDS = "The build folder is gone.\n\nShall I **push** it?";

describe.concurrent("a tool that tells by hooks what it asks, and draws it cut", () => {
  it("is shown whole on the phone, answered with keys, and its last words are told as it said them", () =>
    withRig(async (rig) => {
      const tool = await startTeller(rig, { words: WORDS });
      const card = await tool.card();
      expect(card.isMarkedCut).toBe(false);
      expect(card.content).toContain(COMMAND);
      await card.press(1);
      expect(await card.settled()).toMatch(/^✅ .*, by Ara, confirmed$/);
      await tool.terminal.waitFor(/typed 1/);
      expect(await rig.phone.notice(/asks a question in its last message/)).toContain(WORDS);
    }));

  it("is shown as it is drawn without them", () =>
    withRig(async (rig) => {
      const tool = await startTeller(rig, { words: WORDS, flags: ["--no-hooks"] });
      const card = await tool.card();
      expect(card.isMarkedCut).toBe(true);
      expect(card.content).not.toContain(COMMAND);
    }));
});
