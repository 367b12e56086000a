/** A text field behind a bar is recognised by the cursor or by the keys that its row names, with and without text in it. */
import { describe, expect, it } from "vitest";
import type { Candidate } from "../../../../../src/sdk/candidate.js";
import { detectOn, shippedAdapter } from "../screens.js";

const HELP = "enter confirm  esc cancel";

/** A rejection that wants its reason; the cursor `column` cells behind the field's beginning. */
async function asked(
  field: readonly string[],
  column: number,
  below = ["", HELP, ""],
): Promise<Candidate | null> {
  const inside = [
    "",
    "△ Reject permission",
    "",
    "Tell OpenCode what to do differently",
    "",
    ...field,
    ...below,
  ];
  const rows = inside.map((text) => `  ┃  ${text}`.trimEnd());
  const cursor = [5 + column, 4 + field.length] as const;
  const drawing = { cols: 45, rows: 20, alternate: true, cursor };
  return (await detectOn(shippedAdapter("opencode"), rows, drawing)).candidate;
}

describe("a field behind a bar, without a mark of its own", () => {
  it("is known by the cursor while nothing stands in it", async () => {
    expect(await asked([""], 0)).toMatchObject({ promptType: "free_text", question: "Reject permission" });
    expect((await asked([""], 0))?.hasDraft).toBeUndefined();
  });

  it("is known where the keys are named in its own row", async () => {
    const wide = [`${" ".repeat(12)}${HELP}`];
    expect(await asked(wide, 0, [""])).toMatchObject({ question: "Reject permission" });
  });

  it("is the same prompt with text in it, over one row or two", async () => {
    const empty = await asked([""], 0);
    for (const words of [["use mkdir"], ["use mkdir instead of", "what you wanted"]]) {
      const filled = await asked(words, 5);
      expect(filled).toMatchObject({ fingerprint: empty?.fingerprint, hasDraft: true });
    }
  });

  it("is not recognised while the cursor stands where no text would begin", async () => {
    expect(await asked([""], 2)).toMatchObject({ promptType: "unknown" });
  });
});
