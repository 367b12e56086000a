/** What a key changed on a screen that no rule reads. */
import { describe, expect, it } from "vitest";
import type { View } from "../../../../../src/sdk/view.js";
import { findChange } from "../../../../../src/worker/answer/effect/screen-change.js";
import { drawView, type Drawing } from "../../detection/screens.js";

const HIDDEN: Drawing = { cursorHidden: true };
const show = (rows: readonly string[], drawing: Drawing = HIDDEN): Promise<View> => drawView(rows, drawing);

async function changed(before: readonly string[], now: readonly string[]): Promise<readonly string[] | null> {
  return findChange(await show(before), await show(now));
}

describe("what a key changed", () => {
  it("is nothing where all stands as before", async () =>
    expect(await changed(["Pick", "one"], ["Pick", "one"])).toBeNull());

  it("is not what spins and counts by itself", async () =>
    expect(await changed(["⠋ waiting (3s)"], ["⠙ waiting (4s)"])).toBeNull());

  it("is the rows with another text", async () =>
    expect(await changed(["> a", "  b"], ["  a", "> b"])).toEqual(["a", "> b"]));

  it("is no text that only scrolled", async () =>
    expect(await changed(["a", "b", "c"], ["b", "c"])).toEqual([]));

  it("is the row that a background marks now", async () =>
    expect(await changed(["\u001b[7ma\u001b[0m", "b"], ["a", "\u001b[7mb\u001b[0m"])).toEqual(["b"]));

  it("is a row in another colour", async () =>
    expect(await changed(["\u001b[32ma\u001b[0m"], ["\u001b[31ma\u001b[0m"])).toEqual(["a"]));

  it("is the row that the cursor came to", async () => {
    const before = await show(["a", "b"], { cursor: [0, 0] });
    expect(findChange(before, await show(["a", "b"], { cursor: [0, 1] }))).toEqual(["b"]);
  });
});
