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
  it("was corrected when it shows something else at the same height", () => {
    expect(seen([guessed, false])).toBe(false);
    expect(seen([guessed, false], [guessed, false])).toBe(false);
    expect(seen([guessed, false], [counted, false])).toBe(true);
  });

  it("was corrected also when pictures between the two show no dialog, or one that nobody can read", () => {
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

  it("is no correction of one that was raised before", () => {
    expect(seen([guessed, false], [guessed, true], [counted, false])).toBe(false);
  });
});
