/** A dialog that is being fitted into the screen counts as complete when it shows something else at the same height. */
import { describe, expect, it } from "vitest";
import { ReflowWatch } from "../../../../../src/worker/detection/live/reflow-watch.js";
import { candidate, choice } from "./play.js";

const ASKED = { question: "Apply this change?", region: { top: 2, bottom: 20 } };
const guessed = candidate("... 50 hidden", ASKED);
const counted = candidate("... 51 hidden", ASKED);

function seen(...looks: readonly Parameters<ReflowWatch["update"]>[]): boolean {
  const watch = new ReflowWatch();
  for (const look of looks) watch.update(...look);
  return watch.isReflowed;
}

describe("a dialog that is fitted into the screen", () => {
  it("counts as corrected when it shows something else at the same height", () => {
    expect(seen([guessed, false])).toBe(false);
    expect(seen([guessed, false], [guessed, false])).toBe(false);
    expect(seen([guessed, false], [counted, false])).toBe(true);
  });

  it("counts as corrected also when pictures between show no dialog, or an unread one", () => {
    const torn = candidate("half", { promptType: "unknown" });
    expect(seen([guessed, false], [null, false], [torn, false], [counted, false])).toBe(true);
  });

  it.each([
    ["height", candidate("c", { ...ASKED, region: { top: 10, bottom: 20 } })],
    ["question", candidate("c", { ...ASKED, question: "Do you want to proceed?" })],
    ["number of answers", candidate("c", { ...ASKED, choices: [choice("Yes")] })],
    ["answer", candidate("c", { ...ASKED, choices: [choice("Yes"), choice("Never")] })],
  ])("is another one with another %s", (_, other) => {
    expect(seen([other, false], [counted, false])).toBe(false);
  });

  it("does not count as corrected when it was raised before", () => {
    expect(seen([guessed, false], [guessed, true], [counted, false])).toBe(false);
  });
});
