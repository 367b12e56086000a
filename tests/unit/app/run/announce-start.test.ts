/** A run says at its start if nobody has tried its tool; `adapter list` says it, too. */
import { describe, expect, it } from "vitest";
import { describeUntested } from "../../../../src/app/run/announce-start.js";
import { listAdapters } from "../../../../prompt-lab/check/adapter-files.js";

describe("a tool that nobody has tried", () => {
  it("is told apart at the start of a run", () => {
    expect(describeUntested({ name: "goose", tested: false })).toContain("goose was never tried");
    expect(describeUntested({ name: "claude", tested: true })).toBeNull();
  });

  it("is one of these, and no other", async () => {
    const untried = (await listAdapters()).filter(({ tested, own, rules }) => rules > 0 && !tested && !own);
    expect(untried.map(({ name }) => name)).toEqual(["aider", "amp", "cursor-agent", "goose", "openai"]);
  });
});
