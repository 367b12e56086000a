/**
 * “🖥 Screen” sends the terminal as a picture to the chat that asked for it. A last answer that is longer than a message is sent
 * as a file.
 */
import { describe, expect, it } from "vitest";
import { CELL_HEIGHT, CELL_WIDTH, MARGIN } from "../../src/hub/picture/svg.js";
import { Habit } from "../support/rig/habits.js";
import { withSlack } from "../support/rig/slack-desk.js";
import { startTeller } from "../support/rig/teller.js";

const WORDS = Array.from({ length: 400 }, (_, at) => `${at + 1}. all of this was done: <b> & “more”`).join(
  "\n",
);

/** Of a PNG, in pixels. */
function readSize(png: Buffer): { width: number; height: number } {
  expect(png.subarray(1, 4).toString()).toBe("PNG");
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
}

describe.concurrent("🖥 Screen under a card", () => {
  it("sends the live terminal as a picture, and only to the chat that asked for it", () =>
    withSlack(async (rig, desk) => {
      const tool = Habit.start(rig, "digit-ignored", { taking: "arrows" });
      const [card, inSlack] = [await tool.run.card(), await desk.card("digit-ignored")];
      await desk.connected();
      const size = { width: 120 * CELL_WIDTH + 2 * MARGIN, height: 40 * CELL_HEIGHT + 2 * MARGIN };
      expect(await card.pressWords("🖥 Screen")).toBe("🖥 Fetching the screen.");
      const onPhone = await rig.phone.picture();
      expect(readSize(onPhone)).toEqual(size);
      expect(desk.files).toEqual([]);
      expect(await desk.press(inSlack, "🖥 Screen")).toBe("🖥 Fetching the screen.");
      const onDesk = await desk.file("screen.png");
      // Of the same screen the same picture.
      expect(onDesk.equals(onPhone)).toBe(true);
      expect(tool.received).toBe("");
      await card.press(3);
      expect(await card.settled()).toBe("✅ No, by Ara, confirmed");
    }));
});

describe.concurrent("a last answer that is longer than any message", () => {
  it("is sent to both chats as a file with the whole answer", () =>
    withSlack(async (rig, desk) => {
      const tool = await startTeller(rig, { words: WORDS });
      await tool.pressWithNumber(await tool.card(), 1);
      const [onPhone, onDesk] = [await rig.phone.file("message.txt"), await desk.file("message.txt")];
      expect(onPhone.toString("utf8")).toContain(WORDS);
      expect(onDesk.equals(onPhone)).toBe(true);
      const notice = await rig.phone.notice(/teller waits for its next task/);
      expect(notice).toContain("1. all of this was done: <b> & “more”");
      expect(notice.length).toBeLessThanOrEqual(4096);
    }));
});
