/** A list that may go on below the screen is never offered as a whole one. */
import { describe, expect, it } from "vitest";
import { bashDialog, detectOn, shippedAdapter } from "./screens.js";

const claude = shippedAdapter("claude");

/** The dialog with these choices, on a screen that is as high as it is down to its last choice. */
async function detectAtBottom(choices: readonly string[], below: readonly string[] = []) {
  const { rows, cursor } = bashDialog({ choices });
  const end = rows.findLastIndex((row) => /\d\. /.test(row));
  const drawn = [...rows.slice(0, end + 1), ...below];
  const drawing = { cursor, cursorHidden: true, alternate: true, rows: drawn.length } as const;
  return (await detectOn(claude, drawn, drawing)).candidate;
}

describe("a list on the last row of an agent's screen", () => {
  const OPEN = ["Yes", "Yes, and don't ask again for: rm *"];

  it("says that more of it may follow", async () => {
    const found = await detectAtBottom(OPEN);
    expect(found).toMatchObject({ rule: "permission", choices: [{}, {}], content: { cut: {} } });
    expect(found?.torn).toBeDefined();
  });

  it("says so also where a line below it is the last row", async () =>
    expect((await detectAtBottom(OPEN, ["─".repeat(80)]))?.torn).toBeDefined());

  it("is whole where its last answer refuses, or where something stands below it", async () => {
    for (const found of [
      await detectAtBottom([...OPEN, "No"]),
      await detectAtBottom(OPEN, ["", " Esc to cancel · Tab to amend"]),
    ]) {
      expect(found).toMatchObject({ rule: "permission", content: { cut: null } });
      expect(found?.torn).toBeUndefined();
    }
  });

  it("is whole in a program that prints its rows, so that the terminal scrolls", async () => {
    const rows = ["? Pick one (Use arrow keys)", "\u001b[36m❯ Red\u001b[39m", "  Green", "  Blue"];
    const signals = { canonical: false, echo: false, foreground: "node" };
    const found = await detectOn(shippedAdapter("generic"), rows, { rows: 4, cursorHidden: true, signals });
    expect(found.candidate).toMatchObject({ choices: [{}, {}, {}] });
    expect(found.candidate?.torn).toBeUndefined();
  });
});

describe("a list without numbers of which rows are hidden", () => {
  const draw = async (rows: readonly string[]) =>
    (await detectOn(claude, rows, { cursor: [1, 3], cursorHidden: true, alternate: true })).candidate;

  it("is read as a cut one where they are below it, and how many there are is no choice", async () => {
    const found = await draw([
      " Choose the text style",
      "",
      " ❯ ✔ Auto (match terminal)",
      "     Dark mode",
      "     Light mode",
      "   ↓ 4 more",
      "",
      " Syntax theme: Monokai",
    ]);
    expect(found?.choices.map(({ label }) => label)).toEqual([
      "Auto (match terminal)",
      "Dark mode",
      "Light mode",
    ]);
    expect(found?.content.cut).toEqual({});
    expect(found?.torn).toBeDefined();
  });

  it("is not read where they are above it", async () =>
    expect(
      (await draw([" Choose the text style", "", "   ↑ 2 more", " ❯ ✔ Light mode", "     Dark mode"]))
        ?.choices,
    ).toEqual([]));
});
