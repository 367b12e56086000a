/**
 * A marked list that no rule of an agent's adapter describes is read with its rows wherever it stands, and text that resembles a
 * list is not.
 */
import { describe, expect, it } from "vitest";
import { ANY_LIST, anyListCandidate } from "../../../../../src/worker/detection/matchers/any-list.js";
import { toPage } from "../../../../../src/worker/detection/layout/layout.js";
import { viewOf } from "../screens.js";

const HIDDEN = { alternate: true, cursorHidden: true };
const QUESTION = ["─".repeat(40), " Deploy to the cluster?", ""];

async function read(rows: readonly string[], drawing: Parameters<typeof viewOf>[1] = HIDDEN) {
  return anyListCandidate(toPage(await viewOf(rows, drawing)));
}

const labels = async (rows: readonly string[]): Promise<readonly string[] | undefined> =>
  (await read(rows))?.choices.map(({ label }) => label);

describe("a list that no rule describes", () => {
  it.each([
    ["numbered", [" ➜ 1. Yes", "   2. No"]],
    ["without numbers", [" ❯ Yes", "   No"]],
    ["with a sign before each row", [" ◉ Yes", " ○ No"]],
    [
      "in a box",
      ["╭──────────────╮", "│ Deploy?      │", "│ › 1. Yes     │", "│   2. No      │", "╰──────────────╯"],
    ],
    ["above a panel", [" ❯ 1. Yes", "   2. No", "", "╭─ Tasks ─╮", "│ build   │", "╰─────────╯"]],
    ["above help that nobody knows", [" ❯ 1. Yes", "   2. No", "", " whatever it says, on", " two rows"]],
  ])("is read with its rows: %s", async (_, rows) => {
    expect(await labels([...QUESTION, ...rows])).toEqual(["Yes", "No"]);
  });

  it("is read with its last row marked where the screen ends, whatever row drawing ended in", async () => {
    const rows = [...QUESTION, "   1. Yes", " ❯ 2. No"];
    expect(await labels(rows)).toEqual(["Yes", "No"]);
    expect(await read(rows, { alternate: true })).toBeNull();
  });

  it("keeps what explains a row, below it or beside it", async () => {
    const below = await read([...QUESTION, " ❯ 1. Yes", "      at once", "   2. No"]);
    const beside = await read([...QUESTION, " ❯ 1. Yes    at once", "   2. No     never"]);
    expect(below?.choices).toMatchObject([{ label: "Yes", detail: "at once" }, { label: "No" }]);
    expect(beside?.choices).toMatchObject([
      { label: "Yes", detail: "at once" },
      { label: "No", detail: "never" },
    ]);
  });

  it("is answered by arrows alone, with the lowest score and content that never counts as whole", async () => {
    const found = await read([...QUESTION, " ❯ 1. Yes", "   2. No, stop", "   3. Yes, always"]);
    expect(found).toMatchObject({
      rule: ANY_LIST,
      score: 0.6,
      safetyClass: "permission",
      content: { cut: {} },
    });
    expect(found?.choices.map(({ answer, intent }) => [answer.by, intent])).toEqual([
      ["arrows", "allow_once"],
      ["arrows", "reject_once"],
      ["arrows", "allow_always"],
    ]);
  });

  it.each([
    ["a text with bullets", ["● I did this.", "● I did that."]],
    ["a paragraph behind a bullet", ["● I removed the folder and", "  wrote the file."]],
    ["quoted lines", ["> the first", "> the second"]],
    ["rows with ticks", [" ❯ [ ] Auth", "   [x] Billing"]],
    ["rows with a sign that may be a tick", [" ❯ • Auth", "   • Billing"]],
    ["a list with rows that are not on the screen", [" ❯ 1. Yes", "   2. No", " ↓ 3 more"]],
    ["a single row", [" ❯ Yes", "", " press enter"]],
    [
      "rows that explain one another",
      [" ❯ Provider A", "   the official one", "", "   Provider B", "   another one"],
    ],
  ])("is not seen in similar text: %s", async (_, rows) => {
    expect(await read([...QUESTION, ...rows])).toBeNull();
  });

  it("ends above keys that are named in a row right below it", async () => {
    const rows = [" ❯ 1. Yes", "   2. No", " option 1/2 | enter to submit | esc to cancel"];
    expect(await labels([...QUESTION, ...rows])).toEqual(["Yes", "No"]);
  });

  it("is not read in a box that something else is drawn into", async () => {
    expect(await labels([...QUESTION, " ❯ 1. Yes", "   2. No │"])).toBeUndefined();
  });

  it.each(["Shall it be removed?", "[y] allow  [n] deny", "Continue (y/n)"])(
    "is not read where a row below it asks: %s",
    async (row) => {
      expect(await labels([...QUESTION, " → 1. Read the file", "   2. Mend it", "", row])).toBeUndefined();
    },
  );

  it("is not read where a cursor that is shown stands in an input box below it", async () => {
    const rows = [...QUESTION, " ❯ 1. Yes", "   2. No", "", "› "];
    expect(await read(rows, { alternate: true, cursor: [2, rows.length - 1] })).toBeNull();
  });
});
