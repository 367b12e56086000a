/** A dialog of gemini that is still being fitted into the screen is not raised until it is complete. */
import { describe, expect, it } from "vitest";
import { addAdapterCode } from "../../../src/plugins/adapters/adapters.js";
import { compileAdapter } from "../../../src/worker/adapter-format/compiled/compile-rules.js";
import type { CompiledAdapter } from "../../../src/worker/adapter-format/compiled/compiled.js";
import { detect } from "../../../src/worker/detection/detect.js";
import { detectOn, drawView } from "../worker/detection/screens.js";

const REVERSE = "\u001b[7m";
const PLAIN = "\u001b[0m";

function compileWithRule(ruleName: string, rule: string): CompiledAdapter {
  const text = `schema: 1
name: gemini
version: 1.0.0
description: It draws, measures, and draws again
family: agent
process: {}
rules:
  - { name: ${ruleName}, class: permission, confidence: 0.97, ${rule} }
`;
  return addAdapterCode(compileAdapter(text, "gemini.yaml"));
}

describe("a dialog in a box that has to fit into the screen", () => {
  const boxed = compileWithRule(
    "permission",
    "shape: list, question: '(Allow it[?])', frame: box, list: { glyphs: ['●'], live: [highlight] }, " +
      "cut: ['^ {0,4}[.]{3} ([0-9]{1,6}) hidden']",
  );
  const SIZE = { alternate: true, cursorHidden: true, cols: 40, rows: 20 } as const;
  const row = (text: string): string => `│ ${text.padEnd(36)} │`;
  const box = (content: readonly string[]): string[] => [
    `╭${"─".repeat(38)}╮`,
    ...content.map(row),
    row("Allow it?"),
    `│ ${REVERSE}${"● 1. Yes".padEnd(36)}${PLAIN} │`,
    row("  2. No"),
    `╰${"─".repeat(38)}╯`,
  ];
  const lines = (count: number): string[] => Array.from({ length: count }, (_, at) => `line ${at}`);

  it.each([
    ["whole, with room left", box(lines(5)), 100],
    ["as high as the screen lets it be", box(lines(12)), 300],
    ["as high as that, and says what is left out", box(["... 9 hidden", ...lines(11)]), 300],
    ["with room left, and yet says that rows are left out", box(["... 9 hidden", ...lines(3)]), 1000],
  ])("%s", async (_how, rows, stableMs) => {
    const found = await detectOn(boxed, rows, SIZE);
    expect(found.candidate?.question).toBe("Allow it?");
    expect(found.stableMs).toBe(stableMs);
  });

  it("is raised once it was corrected at that height", async () => {
    const view = await drawView(box(["... 9 hidden", ...lines(11)]), SIZE);
    expect(detect(boxed, view, {})).toMatchObject({ stableMs: 300, correctedMs: 100 });
    // That nothing is left out may still turn out to be wrong.
    const untold = await drawView(box(lines(12)), SIZE);
    expect(detect(boxed, untold, {})).toMatchObject({ stableMs: 300, correctedMs: 300 });
  });

  it("is raised where one of its rows says that it was measured", async () => {
    const until = compileWithRule(
      "mcp_tool",
      "shape: list, question: '(Allow it[?])', frame: box, list: { glyphs: ['●'], live: [highlight] }",
    );
    const full = lines(11);
    expect((await detectOn(until, box([...full, "no MCP Tool Details: yet"]), SIZE)).stableMs).toBe(300);
    expect((await detectOn(until, box([...full, "MCP Tool Details: none"]), SIZE)).stableMs).toBe(100);
  });

  it.each([
    ["fewer rows in sight than there is room for", ["● 1. Yes", "  2. No"], 1000],
    ["as many rows in sight as its tool shows", ["● 1. Yes", "  2. No", "  3. Later"], 100],
  ])("whose list has %s", async (_how, rows, stableMs) => {
    const listed = compileWithRule(
      "question",
      "shape: list, question: '(Which one[?])', frame: box, " +
        "list: { glyphs: ['●'], live: [highlight], numbers: required, more: ['^[▲▼]$'] }",
    );
    const [first = "", ...others] = rows;
    const drawn = [
      `╭${"─".repeat(38)}╮`,
      row("Which one?"),
      row("▲"),
      `│ ${REVERSE}${first.padEnd(36)}${PLAIN} │`,
      ...others.map(row),
      row("▼"),
      `╰${"─".repeat(38)}╯`,
    ];
    const found = await detectOn(listed, drawn, SIZE);
    expect(found.candidate?.torn).toBeDefined();
    expect(found.stableMs).toBe(stableMs);
  });

  it("is not raised while a box inside it waits for its content", async () => {
    const inner = [`╭${"─".repeat(34)}╮`, `╰${"─".repeat(34)}╯`];
    expect((await detectOn(boxed, box(["? Shell", ...inner]), SIZE)).candidate).toBeNull();
  });
});
