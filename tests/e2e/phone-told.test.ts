/**
 * A tool that only reports its calls by hooks is shown whole on the phone although its dialog cuts them, and is answered with
 * keys. Without these hooks its prompt is shown as drawn.
 */
import { describe, expect, it } from "vitest";
import { eventually } from "../support/hub-home.js";
import { withRig } from "../support/rig/rig.js";
import { COMMAND, COPILOT_COMMAND, startTeller } from "../support/rig/teller.js";

const WORDS = "The build folder is gone.\n\nShall I **push** it?";
const DRAWN_OVER = "Another program may have drawn over what the tool asks";

describe.concurrent("a tool that reports its calls by hooks and draws them cut", () => {
  it("is shown whole on the phone, answered with keys, and its last message is sent unchanged", () =>
    withRig(async (rig) => {
      const tool = await startTeller(rig, { words: WORDS });
      const card = await tool.card();
      expect(card.isMarkedCut).toBe(false);
      expect(card.content).toContain(COMMAND);
      await tool.pressWithNumber(card, 1);
      expect(await card.settled()).toMatch(/^✅ .*, by Ara, confirmed$/);
      await tool.terminal.waitFor(/typed 1/);
      expect(await rig.phone.notice(/asks a question in its last message/)).toContain(WORDS);
    }));

  it("is shown whole where its hooks stand in a plugin, which holds only what is the same for all runs", () =>
    withRig(async (rig) => {
      const tool = await startTeller(rig, { words: "", tool: "copilot", command: COPILOT_COMMAND });
      const card = await tool.card();
      expect(card.isMarkedCut).toBe(false);
      expect(card.content).toContain(COPILOT_COMMAND);
      expect(card.text).not.toContain(DRAWN_OVER);
      await tool.pressWithNumber(card, 1);
      expect(await card.settled()).toMatch(/^✅ .*, by Ara, confirmed$/);
      await tool.terminal.waitFor(/typed 1/);
    }));

  it("gets no answer with one tap where its dialog shows another call than it reported", () =>
    withRig(async (rig) => {
      const tool = await startTeller(rig, { words: "", tool: "copilot", command: "ls -la" });
      const card = await tool.card();
      expect(card.text).toContain(DRAWN_OVER);
      await card.press(1);
      await eventually(() => card.buttons.some((button) => button.includes("Maybe drawn over")));
      expect(tool.text).not.toContain("typed");
    }));

  it("is shown as drawn without these hooks", () =>
    withRig(async (rig) => {
      const tool = await startTeller(rig, { words: WORDS, flags: ["--no-hooks"] });
      const card = await tool.card();
      expect(card.isMarkedCut).toBe(true);
      expect(card.content).not.toContain(COMMAND);
    }));
});
