import { describe, expect, it } from "vitest";
import { compileAdapter } from "../../../../../src/worker/adapter-format/compiled/compile-rules.js";
import type { CompiledAdapter } from "../../../../../src/worker/adapter-format/compiled/compiled.js";
import { detect } from "../../../../../src/worker/detection/detect.js";
import { detectOn, viewOf } from "../screens.js";

const REVERSE = "\u001b[7m";
const GROUND = "\u001b[44m";
const PLAIN = "\u001b[0m";

function adapterOf(rule: string): CompiledAdapter {
  return compileAdapter(
    `schema: 1
name: fits
version: 1.0.0
description: A tool that draws, measures, and draws again
family: agent
process: {}
rules:
  - { name: ask, class: permission, confidence: 0.97, ${rule} }
`,
    "x",
  );
}

describe("a dialog in a box that has to fit into the screen", () => {
  const boxed = adapterOf(
    "shape: list, question: '(Allow it[?])', frame: box, list: { glyphs: ['●'], live: [highlight] }, " +
      "fitting: { stable_ms: 300, free_rows: 5 }, cut: ['^ {0,4}[.]{3} ([0-9]{1,6}) hidden']",
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

  it("is waited for no longer once it was corrected at that height", async () => {
    const view = await viewOf(box(["... 9 hidden", ...lines(11)]), SIZE);
    expect(detect(boxed, view, {})).toMatchObject({ stableMs: 300, refittedMs: 100 });
    // That nothing is left out may still turn out to be wrong.
    const untold = await viewOf(box(lines(12)), SIZE);
    expect(detect(boxed, untold, {})).toMatchObject({ stableMs: 300, refittedMs: 300 });
  });

  it("is waited for no longer where a row of it says that it was measured", async () => {
    const until = adapterOf(
      "shape: list, question: '(Allow it[?])', frame: box, list: { glyphs: ['●'], live: [highlight] }, " +
        "fitting: { stable_ms: 300, free_rows: 5, until: '^Details:' }",
    );
    const full = lines(11);
    expect((await detectOn(until, box([...full, "no Details: yet"]), SIZE)).stableMs).toBe(300);
    expect((await detectOn(until, box([...full, "Details: none"]), SIZE)).stableMs).toBe(100);
  });

  it.each([
    ["fewer rows in sight than there is room for", ["● 1. Yes", "  2. No"], 1000],
    ["as many rows in sight as its tool shows", ["● 1. Yes", "  2. No", "  3. Later"], 100],
  ])("whose list has %s", async (_how, rows, stableMs) => {
    const listed = adapterOf(
      "shape: list, question: '(Which one[?])', frame: box, fitting: { stable_ms: 300, free_rows: 5, list_rows: 3 }, " +
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

  it("is none while a box inside of it waits for its content", async () => {
    const inner = [`╭${"─".repeat(34)}╮`, `╰${"─".repeat(34)}╯`];
    expect((await detectOn(boxed, box(["? Shell", ...inner]), SIZE)).candidate).toBeNull();
  });
});

describe("a dialog with a part that scrolls", () => {
  const barred = adapterOf(
    'shape: buttons, question: "(Allow it[?])", buttons: ground, frame: bar, cut: ["█$"], fitting: { stable_ms: 300, gap: 2 }, ' +
      'choices: [{ label: "^Yes$", intent: allow_once }, { label: "^No$", intent: reject_once }]',
  );
  const dialog = (content: readonly string[]): string[] => [
    "  ┃  Allow it?",
    "  ┃",
    ...content.map((text) => `  ┃  ${text}`),
    `  ┃  ${GROUND} Yes ${PLAIN}  No `,
  ];

  it.each([
    ["is whole once its rows fill the room", ["one  █", "two", "three", "", ""], 100],
    ["is half drawn while room is left below them", ["one  █", "     █", "", "", ""], 300],
    ["need not be waited for where nothing scrolls", ["one", "", "", "", ""], 100],
  ])("%s", async (_how, content, stableMs) => {
    const found = await detectOn(barred, dialog(content), { alternate: true, cursorHidden: true, cols: 40 });
    expect(found.candidate?.question).toBe("Allow it?");
    expect(found.stableMs).toBe(stableMs);
  });
});

describe("a dialog whose tool may not know yet what it asks about", () => {
  const told = adapterOf(
    'shape: buttons, question: "(Allow it[?])", buttons: ground, frame: bar, bare_ms: 2000, ' +
      'choices: [{ label: "^Yes$", intent: allow_once }, { label: "^No$", intent: reject_once }]',
  );
  const dialog = (content: readonly string[]): string[] => [
    "  ┃  Allow it?",
    "  ┃    % Fetch",
    ...content.map((text) => `  ┃  ${text}`),
    "  ┃",
    `  ┃  ${GROUND} Yes ${PLAIN}  No `,
  ];
  const SIZE = { alternate: true, cursorHidden: true, cols: 40 } as const;

  it("is waited for, and if it stays so it counts as cut", async () => {
    const found = await detectOn(told, dialog([]), SIZE);
    expect(found).toMatchObject({ stableMs: 2000, candidate: { isBare: true, content: { cut: {} } } });
  });

  it("need not be waited for once that is said", async () => {
    const found = await detectOn(told, dialog(["", "URL: https://a.example/"]), SIZE);
    expect(found).toMatchObject({ stableMs: 100, candidate: { content: { cut: null } } });
    expect(found.candidate?.isBare).toBeUndefined();
  });
});
