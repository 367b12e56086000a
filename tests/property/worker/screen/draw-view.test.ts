/** A picture of the screen that is drawn again looks the same at any moment of any recording. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findScenarios } from "../../../../prompt-lab/scenario/find-scenarios.js";
import type { Style, View } from "../../../../src/sdk/view.js";
import { drawView } from "../../../../src/worker/screen/draw-view.js";
import { Screen } from "../../../../src/worker/screen/screen.js";
import type { Scenario } from "../../../../prompt-lab/scenario/scenario.js";

/** A tenth of the corpus, so that the run stays short; every tool and shape is in it. */
const scenarios = findScenarios(["prompt-lab/scenarios"]).filter((_, index) => index % 10 === 0);

async function pictureAfter(scenario: Scenario, count: number): Promise<View> {
  const screen = new Screen(scenario);
  for (const event of scenario.events.slice(0, count)) {
    if ("data_b64" in event) screen.write(Buffer.from(event.data_b64, "base64"));
    await screen.flushed();
    if ("resize" in event) screen.resize({ cols: event.resize[0], rows: event.resize[1] });
  }
  const view = screen.view();
  screen.dispose();
  return view;
}

async function drawPicture(bytes: string, size: { cols: number; rows: number }): Promise<View> {
  const screen = new Screen(size);
  screen.write(Buffer.from(bytes));
  await screen.flushed();
  const view = screen.view();
  screen.dispose();
  return view;
}

/** Every letter with its style: of a blank nobody sees the ink. */
function inked(text: string, style: Style): string[] {
  return [...text].flatMap((letter) => (letter.trim() === "" ? [] : [letter + JSON.stringify(style)]));
}

function looks({ lines, cursor, modes, title, scrollback }: View) {
  return {
    rows: lines.map((line) => line.text),
    wrapped: lines.map((line) => line.wrapped),
    ink: lines.map((line) => line.runs().flatMap(({ text, style }) => inked(text, style))),
    cursor,
    modes,
    title,
    scrollback: scrollback.map((line) => line.trimEnd()),
  };
}

describe("a picture drawn again", () => {
  it("keeps a non-breaking blank at the end of a row, which marks an input box", async () => {
    const view = await drawPicture("> \u00a0\r\n\u00a0\r\nx  ", { cols: 20, rows: 4 });
    expect(looks(await drawPicture(drawView(view), view))).toEqual(looks(view));
    expect(view.lines.map((line) => line.text)).toEqual(["> \u00a0", "\u00a0", "x", ""]);
  });

  it("keeps rows that go on in others, also those with nothing in them, and the first that goes on from above", async () => {
    const rows = ["a".repeat(45), `b${" ".repeat(44)}${" ".repeat(20)}\r\n`, "c"];
    for (const rowsShown of [2, 3, 4, 5]) {
      const view = await drawPicture(rows.join(""), { cols: 20, rows: rowsShown });
      expect(looks(await drawPicture(drawView(view), view))).toEqual(looks(view));
    }
  });

  it("looks the same, at any moment of any recording", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(), async (which, moment) => {
        const scenario = scenarios[which % scenarios.length];
        if (!scenario) return;
        const view = await pictureAfter(scenario, 1 + (moment % scenario.events.length));
        expect(looks(await drawPicture(drawView(view), view))).toEqual(looks(view));
      }),
      { numRuns: 200 },
    );
  });
});
