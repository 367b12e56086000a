/** An input box behind a bar is recognised as empty or as holding text, and is not offered where input would go to a shell. */
import { describe, expect, it } from "vitest";
import { findComposer } from "../../../../src/worker/detection/composer.js";
import { shippedAdapter, drawView } from "./screens.js";

const GREY = "\u001b[90m";
const PLAIN = "\u001b[0m";
const MODEL = "  ┃  Build · Fake Model";
const EDGE = `  ╹${"▀".repeat(30)}`;

/** A box behind a bar, its text below what the person said last; the cursor `column` cells into the text. */
async function textIn(
  text: readonly string[],
  { column = 0, row = 0, below = MODEL, above = "  ┃" } = {},
): Promise<string | null> {
  const rows = [
    "  ┃",
    "  ┃  Clear it",
    "  ┃",
    "",
    above,
    ...text.map((line) => `  ┃  ${line}`),
    "  ┃",
    below,
    EDGE,
  ];
  const cursor = [5 + column, 5 + row] as const;
  const view = await drawView(
    rows.map((line) => line.trimEnd()),
    { cols: 45, rows: 20, alternate: true, cursor },
  );
  return findComposer(shippedAdapter("opencode"), view)?.field?.text ?? null;
}

describe("an input box behind a bar", () => {
  it("is empty with the cursor at its beginning and nothing behind that", async () => {
    expect(await textIn([""])).toBe("");
  });

  it("is empty with only a suggestion in it, over one row or two", async () => {
    expect(await textIn([`${GREY}Ask anything${PLAIN}`])).toBe("");
    expect(await textIn([`${GREY}Ask anything, such as${PLAIN}`, `${GREY}"Fix it"${PLAIN}`])).toBe("");
  });

  it.each([
    ["words", ["fix it"], { column: 6 }],
    ["words, and the cursor before them", ["fix it"], {}],
    ["a blank", [""], { column: 1 }],
    ["a row without words", ["", ""], { row: 1 }],
    ["a row without words, and the cursor before it", ["", ""], {}],
    ["a suggestion, and words behind it", [`${GREY}Ask anything${PLAIN}`, "fix it"], {}],
    ["the cursor elsewhere", [""], { row: 2 }],
  ])("is not empty with %s", async (_what, text, more) => {
    expect(await textIn(text, more)).not.toBe("");
  });

  it("is not empty while something is offered above its text", async () => {
    expect(await textIn([""], { above: "  ┃ /agents     Switch agent" })).not.toBe("");
  });

  it("is not recognised where input would go to a shell", async () => {
    expect(await textIn([""], { below: "  ┃  Shell" })).toBeNull();
  });
});
