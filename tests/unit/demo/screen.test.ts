/** The demo's picture always fits the terminal: both boxes keep their borders, whatever is in them. */
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { drawDemo, SMALLEST, type DemoCard } from "../../../src/demo/screen.js";
import { measureWidth } from "../../../src/worker/screen/widths.js";

const CARD: DemoCard = {
  title: "🔐 somebody asks for permission",
  text: ["x".repeat(300), "a question"],
  buttons: ["1. Yes", "2. No, and a long explanation of why that is so"],
  tapped: 0,
  outcome: null,
};
const TERMINAL = Array.from({ length: 40 }, (_, row) => `row ${row} ${"wide 界".repeat(12)}`);

const draw = (...scene: Parameters<typeof drawDemo>) => drawDemo(...scene).map(stripVTControlCharacters);

describe("the demo's picture", () => {
  it.each([SMALLEST, { columns: 80, rows: 24 }, { columns: 200, rows: 60 }])("fits %j", (size) => {
    const rows = draw({ heading: "h".repeat(300), terminal: TERMINAL, card: CARD, hint: "" }, size);
    expect(rows).toHaveLength(size.rows);
    expect(rows.filter((row) => measureWidth(row) >= size.columns)).toEqual([]);
    const boxes = rows.slice(2, -2);
    expect(new Set(boxes.map((row) => measureWidth(row)))).toEqual(new Set([size.columns - 1]));
  });

  it("is cut off in a window that became too small", () => {
    const size = { columns: 40, rows: 10 };
    const rows = draw({ heading: "h".repeat(300), terminal: TERMINAL, card: CARD, hint: "" }, size);
    expect(rows).toHaveLength(size.rows);
    expect(rows.filter((row) => measureWidth(row) >= size.columns)).toEqual([]);
  });

  it("shows the end of the terminal, the tapped button, and then the outcome in place of the buttons", () => {
    const size = { columns: 100, rows: 40 };
    const scene = { heading: "", terminal: TERMINAL, card: { ...CARD, text: ["a question"] }, hint: "" };
    const tapped = draw(scene, size).join("\n");
    expect(tapped).toContain("row 39");
    expect(tapped).not.toContain("row 0 ");
    expect(tapped).toContain("[▶1. Yes");
    const settled = draw({ ...scene, card: { ...scene.card, outcome: "✅ Yes" } }, size).join("\n");
    expect(settled).toContain("✅ Yes");
    expect(settled).not.toContain("[");
  });
});
