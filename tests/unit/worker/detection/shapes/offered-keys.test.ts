/** The keys that a screen names, and what it says of each. */
import { describe, expect, it } from "vitest";
import { findOfferedKeys } from "../../../../../src/worker/detection/shapes/offered-keys.js";
import { toPage } from "../../../../../src/worker/detection/layout/layout.js";
import { drawView } from "../screens.js";

async function toldIn(...rows: readonly string[]): Promise<readonly string[]> {
  const page = toPage(await drawView(rows));
  return findOfferedKeys(page, 0, rows.length - 1).map(({ key, does }) => `${key}: ${does}`);
}

describe("the keys that a screen names", () => {
  it.each([
    ["Enter to accept · shift+Tab to go back", ["enter: accept", "shift+tab: go back"]],
    ["Press any key to continue...", ["space: any key"]],
    ["│ Enter: take it   Esc: leave │", ["enter: take it", "esc: leave"]],
    ["Press Enter to see the rest", ["enter: see the rest"]],
    ["↵ select  esc close  tab next field", ["enter: select", "esc: close", "tab: next field"]],
    ["[a] allow  [d] deny", ["a: allow", "d: deny"]],
    ["F1 help   Enter: take it", ["enter: take it"]],
  ])("%s", async (row, keys) => expect(await toldIn(row)).toEqual(keys));

  it.each([
    ["Enter your name"],
    ["I press on with the tests"],
    ["Escape sequences are read as keys"],
    ["a to z"],
    ["Tab"],
  ])("not in: %s", async (row) => expect(await toldIn(row)).toEqual([]));

  it("are looked for at the bottom only", async () =>
    expect(await toldIn("Enter to accept", ...Array.from({ length: 30 }, (_, at) => `row ${at}`))).toEqual(
      [],
    ));
});
