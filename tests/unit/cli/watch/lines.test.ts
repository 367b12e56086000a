/**
 * A line that is typed in `watch` names its prompt by its short id and answers it. A bare answer without a selected prompt
 * answers nothing.
 */
import { describe, expect, it } from "vitest";
import { readWatchLine } from "../../../../src/cli/watch/lines.js";
import type { ListedPrompt } from "../../../../src/wire/listings.js";

const prompt = (shortId: string, type: ListedPrompt["type"] = "multiple_choice"): ListedPrompt =>
  ({ shortId, type, content: { text: "", cut: null, hidden: null } }) as unknown as ListedPrompt;
const [k7, m2, text] = [prompt("k7"), prompt("m2"), prompt("tx", "free_text")];
const open = [k7, m2, text];

const given = (line: string, prompts = open, selected: ListedPrompt | null = null) => {
  const step = readWatchLine(line, { open: prompts }, selected);
  return step.kind === "answer" ? [step.shortIds.join(","), step.given] : step.kind;
};

describe("a line typed in watch", () => {
  it("approves what is hidden only in words that say so", () => {
    const content = { text: "", cut: null, hidden: { characters: 37, kinds: ["token"] } };
    const hidden = [{ ...k7, content }];
    expect(given("k7 1", hidden)).toEqual(["k7", { value: "1" }]);
    expect(given("k7 accept hidden 1", hidden)).toEqual(["k7", { value: "1", acceptHidden: true }]);
    expect(given("tx accept hidden 1")).toEqual(["tx", { value: "accept hidden 1" }]);
  });

  it("with short id and value answers that question", () => {
    expect(given("k7 2")).toEqual(["k7", { value: "2" }]);
    expect(given("  K7   2 ")).toEqual(["k7", { value: "2" }]);
  });

  it("takes what follows the number of a choice as its text", () => {
    expect(given("k7 3 use pnpm instead")).toEqual(["k7", { value: "3", text: "use pnpm instead" }]);
  });

  it("is one text where a text is asked, numbers in front or not", () => {
    expect(given("tx 2 words and more")).toEqual(["tx", { value: "2 words and more" }]);
  });

  it("with a short id alone selects, and the next line is the answer", () => {
    expect(readWatchLine("m2", { open }, null)).toEqual({ kind: "select", prompt: m2 });
    expect(given("1", open, m2)).toEqual(["m2", { value: "1" }]);
    expect(given("q", open, text)).toEqual(["tx", { value: "q" }]);
    expect(given("", open, m2)).toBe("list");
  });

  it("with a bare answer answers nothing, not even a single open question", () => {
    for (const line of ["y", "1", "yes", "enter"]) expect(given(line, [k7])).toBe("unclear");
  });

  it("with several short ids answers the same request, asked several times", () => {
    expect(given("k7,M3 1", [])).toEqual(["k7,m3", { value: "1" }]);
  });

  it("asks again a settled question that may still stand, and no other", () => {
    const known = { open: [k7], ended: [m2] };
    expect(readWatchLine("again M2", known, null)).toEqual({ kind: "again", prompt: m2 });
    expect(readWatchLine("again k7", known, null)).toMatchObject({ kind: "unclear" });
    expect(given("again m2", open, text)).toEqual(["tx", { value: "again m2" }]);
  });

  it("with an unknown short id says which ones are open", () => {
    const step = readWatchLine("zz 1", { open }, null);
    expect(step).toMatchObject({ kind: "unclear", problem: expect.stringContaining("k7, m2, tx") as string });
    expect(readWatchLine("zz 1", { open: [] }, null)).toMatchObject({ problem: "No prompt is open." });
  });

  it.each([
    ["q", "quit"],
    ["l", "list"],
    ["", "nothing"],
  ])("%j means %s", (line, kind) => {
    expect(given(line)).toBe(kind);
  });
});
