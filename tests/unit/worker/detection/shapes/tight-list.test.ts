/** A list that has little room is read with its rows, or as cut, or not at all. */
import { describe, expect, it } from "vitest";
import { compileAdapter } from "../../../../../src/worker/adapter-format/compiled/compile-rules.js";
import { detectOn } from "../screens.js";

const HIDDEN = { alternate: true, cursorHidden: true } as const;
const GREEN = "\u001b[32m";
const PLAIN = "\u001b[0m";

const tight = compileAdapter(
  `
schema: 1
name: tight
version: 1.0.0
description: A tool that has little room
family: agent
process: {}
defaults: { confidence: 0.9, shape: list }
rules:
  - name: permission
    class: permission
    frame: box
    queue: "^Request \\\\("
    question: "^(Run it\\\\?)$"
    list: { glyphs: ["❯"], live: [highlight], numbers: required, details: none, wraps: true, fields: shown }
    footer: ["^enter"]
    choices:
      - { label: "^No", intent: reject_once, takes_text: optional, key: esc }
  - name: question
    class: question
    list: { glyphs: ["❯"], chosen: ["✓"], live: [highlight, entry], numbers: none }
    footer: ["^enter", "^─{20}", "^❯ "]
    answer: arrows
`,
  "tight.yaml",
);

const WIDTH = 36;
const padded = (row: string): string =>
  row + " ".repeat(WIDTH - row.replace(GREEN, "").replace(PLAIN, "").length);
const box = (...rows: readonly string[]): string[] => [
  ...rows.map((row) => `│ ${padded(row)} │`),
  `╰${"─".repeat(WIDTH + 2)}╯`,
];
const asked = [
  "Run it?",
  "",
  `${GREEN}❯1. Yes, once and with a long label ${PLAIN}`,
  `${GREEN} than fits${PLAIN}`,
  "  2. No (Esc)",
  "",
  "enter select",
];
const TOP = `╭${"─".repeat(WIDTH + 2)}╮`;

describe("a list that has little room", () => {
  it("is read where the blanks around a number are swallowed", async () => {
    const rows = [TOP, ...box("$ rm -rf build", "", ...asked)];
    const { candidate } = await detectOn(tight, rows, { ...HIDDEN, cols: 40 });
    expect(candidate).toMatchObject({ question: "Run it?", highlighted: 1, content: { cut: null } });
    expect(candidate?.choices.map(({ label }) => label)).toEqual([
      "Yes, once and with a long label than fits",
      "No (Esc)",
    ]);
  });

  it("has labels that are broken behind any sign, in whichever ink, and no second lines", async () => {
    const rows = [
      "Run it?",
      "",
      "  1. Yes",
      `${GREEN}❯2. Yes, and never ask in /home/dev/${PLAIN}`,
      `${GREEN} project-of-mine${PLAIN}`,
    ];
    const { candidate } = await detectOn(tight, [TOP, ...box("$ ls", "", ...rows, "", "enter select")], {
      ...HIDDEN,
      cols: 40,
    });
    expect(candidate?.choices.map(({ label }) => label)).toEqual([
      "Yes",
      "Yes, and never ask in /home/dev/ project-of-mine",
    ]);
  });

  it("is cut when the top of its box has left the place in which it is drawn", async () => {
    const rows = ["[Current] Sessions", "", ...box("&& rm -rf build", "", ...asked)];
    const { candidate } = await detectOn(tight, rows, { ...HIDDEN, cols: 40 });
    expect(candidate).toMatchObject({ question: "Run it?", content: { text: "&& rm -rf build", cut: {} } });
  });

  it("is not recognised when something else stands where the top of its box should be", async () => {
    const rows = ["Here is what it looks like:", ...box("$ rm -rf build", "", ...asked)];
    const { candidate } = await detectOn(tight, rows, { ...HIDDEN, cols: 40 });
    expect(candidate).toBeNull();
  });

  it("takes a choice by the key that stands for it, not by the number that opens its field", async () => {
    const rows = [TOP, ...box("$ rm -rf build", "", ...asked)];
    const { candidate } = await detectOn(tight, rows, { ...HIDDEN, cols: 40 });
    expect(candidate?.choices.map(({ answer }) => answer)).toEqual([
      { by: "key", key: "1" },
      { by: "key", key: "\u001b" },
    ]);
  });
});

describe("a dialog with others behind it", () => {
  it("stands elsewhere when the count above it is gone: the next one may be its twin", async () => {
    const dialog = [TOP, ...box("$ rm -rf build", "", ...asked)];
    const drawing = { ...HIDDEN, cols: 40 };
    const first = await detectOn(tight, ["Request (1 remaining)", "", ...dialog], drawing);
    const second = await detectOn(tight, ["", "", ...dialog], drawing);
    expect(first.candidate).toMatchObject({ region: { top: 0 } });
    expect(second.candidate).toMatchObject({ region: { top: 3 } });
    expect(second.candidate?.fingerprint).toBe(first.candidate?.fingerprint);
  });
});

describe("a row that already counts as chosen", () => {
  it("is one of the list when the mark has left it", async () => {
    const rows = [
      "Which one?",
      "",
      `${GREEN}❯ Red${PLAIN}`,
      "✓ Blue",
      "  Other",
      "",
      "enter accept",
      "─".repeat(30),
    ];
    const { candidate } = await detectOn(tight, rows, HIDDEN);
    expect(candidate).toMatchObject({ question: "Which one?", highlighted: 1 });
    expect(candidate?.choices.map(({ label }) => label)).toEqual(["Red", "Blue", "Other"]);
  });
});

describe("a text field that a marked row has opened below everything", () => {
  const LINE = "─".repeat(30);
  const list = ["Which one?", "", "  Red", `${GREEN}❯ Other${PLAIN}`, "", "enter accept", LINE, LINE];

  it("keeps the list above alive", async () => {
    const cursor = [2, 8] as const;
    const { candidate } = await detectOn(tight, [...list, "❯ Type your answer", LINE], {
      alternate: true,
      cursor,
    });
    expect(candidate).toMatchObject({ question: "Which one?", highlighted: 2 });
  });

  it("is not recognised when the cursor stands elsewhere", async () => {
    const cursor = [0, 0] as const;
    const { candidate } = await detectOn(tight, [...list, "❯ Type your answer", LINE], {
      alternate: true,
      cursor,
    });
    expect(candidate).toBeNull();
  });
});
