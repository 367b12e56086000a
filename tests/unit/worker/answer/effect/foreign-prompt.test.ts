/** A screen that no rule reads is another prompt where it asks something of its own, and else a picture between two others. */
import { describe, expect, it } from "vitest";
import { hasForeignPrompt } from "../../../../../src/worker/answer/effect/foreign-prompt.js";
import { makeCandidate, makeView } from "../make.js";

const ASKED = ["● Bash(rm -rf build)", "Do you want to proceed?", "❯ 1. Yes", "  2. No"];
const DONE = ["● Bash(rm -rf build)", "  ⎿ removed", "> type a task"];

function isForeign(rows: readonly string[], after: readonly string[] = DONE): boolean {
  const moment = (drawn: readonly string[], live = makeCandidate()) => ({
    view: makeView(drawn),
    live,
    composer: null,
  });
  return hasForeignPrompt(
    moment(ASKED),
    moment(rows, makeCandidate({ promptType: "unknown" })),
    moment(after),
  );
}

describe("a screen that no rule reads, between a question and what stands in the end", () => {
  it.each([
    ["a question", ["Leave the sandbox?"]],
    ["keys in brackets", ["Leave it: [a] allow [d] deny"]],
    ["keys with their words", ["a allow · d deny · esc cancel"]],
    ["a mark at a row", ["Leave the sandbox", "❯ once"]],
  ])("asks something of its own: %s", (_, rows) => expect(isForeign(rows)).toBe(true));

  it.each([
    ["some rows of the question", ASKED.slice(0, 3)],
    ["its mark elsewhere", [...ASKED.slice(0, 2), "  1. Yes", "❯ 2. No"]],
    ["rows of both", [DONE[0] ?? "", DONE[1] ?? "", ...ASKED.slice(2)]],
    ["a row that is half drawn", [DONE[0] ?? "", DONE[1] ?? "", "> ty"]],
    ["a row that is half drawn over", [DONE[0] ?? "", "  ⎿ remant to proceed?"]],
    ["what the tool does meanwhile", ["Removing 3 files", "12 s"]],
  ])("asks nothing: %s", (_, rows) => expect(isForeign(rows)).toBe(false));

  it("asks nothing where it stands in the end: a screen that stands did not take the key", () =>
    expect(isForeign(["Leave the sandbox? [a] [d]"], ["Leave the sandbox? [a] [d]"])).toBe(false));
});
