/** The last message of a tool counts as a question, or not, by its wording, and the state of an idle tool says so. */
import { describe, expect, it } from "vitest";
import { endsWithQuestion, describeToolState } from "../../../src/model/last-words.js";

describe("the last message of a tool asks", () => {
  it.each([
    "I fixed the parser. Shall I run the tests now?",
    "Done.\n\nDo you want me to continue? (y/n)",
    "**Should I delete the old file?**",
    "Which one should I take?\n\n1. The fast one\n2. The safe one\n",
    "Soll ich weitermachen？",
    "- Keep it?\n- Or drop it?",
  ])("%j", (said) => {
    expect(endsWithQuestion(said)).toBe(true);
  });
});

describe("the last message of a tool does not ask", () => {
  it.each([
    "",
    "All tests pass.",
    "Why did it fail? Because the port was taken. I changed it.",
    "You asked: what is it?\n\nIt is a parser.",
    "What changed?\n\nThe parser is faster now:\n- it reads less\n- it keeps less",
    "See https://example.com/?q=1",
  ])("%j", (said) => {
    expect(endsWithQuestion(said)).toBe(false);
  });
});

describe("the state of a tool in words", () => {
  it("says that an idle tool asked something", () => {
    expect(describeToolState("idle", "Shall I?")).toBe("idle, its last message asks a question");
    expect(describeToolState("idle", "Done.")).toBe("idle");
    expect(describeToolState("idle", null)).toBe("idle");
    expect(describeToolState("working", "Shall I?")).toBe("working");
    expect(describeToolState("starting", null)).toBe("running");
  });
});
