/** A dialog is read from its drawing with the whole content to be approved, or is marked as cut with how much is missing. */
import { describe, expect, it } from "vitest";
import { compileAdapter } from "../../../../../src/worker/adapter-format/compiled/compile-rules.js";
import type { CompiledAdapter } from "../../../../../src/worker/adapter-format/compiled/compiled.js";
import { detectOn } from "../screens.js";

const HIDDEN = { alternate: true, cursorHidden: true } as const;
const REVERSE = "\u001b[7m";
const GREEN = "\u001b[32m";
const GROUND = "\u001b[44m";
const DIM = "\u001b[2m";
const PLAIN = "\u001b[0m";

const HEAD = `
schema: 1
name: drawn
version: 1.0.0
description: A tool that shows its highlight by its drawing
family: agent
process: {}
`;

function compileRule(rule: string): CompiledAdapter {
  return compileAdapter(`${HEAD}rules:\n  - { name: ask, class: question, confidence: 0.9, ${rule} }\n`, "x");
}

const marked = compileRule(
  'shape: list, list: { glyphs: ["›"], live: [highlight], more: ["^[↑↓]$"], last: "^No" }, footer: ["^enter"], ' +
    "if_hidden: { label: No (Esc), key: esc, intent: reject_once }",
);
const unmarked = compileRule(
  'shape: list, list: { live: [highlight], numbers: required }, footer: ["^enter"]',
);

describe("a list whose highlight is drawn", () => {
  it.each([
    ["in reverse", REVERSE],
    ["in another colour", GREEN],
    ["on another ground", GROUND],
  ])("is live when its marked row stands out %s", async (_, style) => {
    const rows = ["Sure?", "", "  1. Yes", `${style}› 2. No${PLAIN}`, "", "enter select"];
    const { candidate } = await detectOn(marked, rows, HIDDEN);
    expect(candidate).toMatchObject({ question: "Sure?", highlighted: 2 });
    expect(candidate?.choices.map(({ label }) => label)).toEqual(["Yes", "No"]);
  });

  it("is text when no row stands out", async () => {
    const { candidate } = await detectOn(
      marked,
      ["Sure?", "", "› 1. Yes", "  2. No", "", "enter select"],
      HIDDEN,
    );
    expect(candidate).toBeNull();
  });

  it("is text while the cursor is visible, as input goes elsewhere", async () => {
    const rows = ["Sure?", "", `${REVERSE}› 1. Yes${PLAIN}`, "  2. No", "", "enter select"];
    const { candidate } = await detectOn(marked, rows, { alternate: true });
    expect(candidate).toBeNull();
  });

  it("is text when anything but its footer stands below", async () => {
    const rows = [
      "Sure?",
      "",
      `${REVERSE}› 1. Yes${PLAIN}`,
      "  2. No",
      "",
      "enter select",
      "",
      "› Ask anything",
    ];
    const { candidate } = await detectOn(marked, rows, HIDDEN);
    expect(candidate).toBeNull();
  });

  it("needs no mark: the one row that stands out is highlighted", async () => {
    const rows = ["Sure?", "", "1. Yes", "2. Perhaps", `${GREEN}3. No${PLAIN}`, "", "enter select"];
    const { candidate } = await detectOn(unmarked, rows, HIDDEN);
    expect(candidate).toMatchObject({ highlighted: 3 });
  });

  it("of two rows the one on another ground is highlighted, and colours alone decide nothing", async () => {
    const two = (first: string) => ["Sure?", "", `${first}1. Yes${PLAIN}`, "2. No", "", "enter select"];
    expect((await detectOn(unmarked, two(GROUND), HIDDEN)).candidate).toMatchObject({ highlighted: 1 });
    expect((await detectOn(unmarked, two(GREEN), HIDDEN)).candidate).toBeNull();
  });
});

describe("a text field in a row", () => {
  const withFields = (fields: string) =>
    compileRule(
      `shape: list, list: { live: [highlight], numbers: required, fields: ${fields} }, footer: ["^enter"]`,
    );
  // The cursor ends up behind what was drawn last.
  const rows = [
    "Which one?",
    "",
    "1. EU",
    "2. US",
    `${GROUND}3. Your own${PLAIN}`,
    "",
    "enter select\u001b[5;12H",
  ];

  it("is open where the tool shows its cursor", async () => {
    const { candidate } = await detectOn(withFields("shown"), rows, { alternate: true });
    expect(candidate).toMatchObject({ highlighted: 3 });
    expect(candidate?.choices.map(({ takesText }) => takesText)).toEqual([undefined, undefined, "required"]);
  });

  it("is open under a hidden cursor only where the tool's cursor is always hidden", async () => {
    const texts = async (fields: string) =>
      (await detectOn(withFields(fields), rows, HIDDEN)).candidate?.choices.map(({ takesText }) => takesText);
    expect(await texts("hidden")).toEqual([undefined, undefined, "required"]);
    expect(await texts("shown")).toEqual([undefined, undefined, undefined]);
  });
});

describe("numbers of one and two digits", () => {
  it("may be set flush at their dots", async () => {
    const rows = Array.from({ length: 11 }, (_, i) => `  ${String(i + 1).padStart(2)}. Theme ${i + 1}`);
    rows[9] = `${GREEN}› 10. Theme 10${PLAIN}`;
    const glyphs = compileRule('shape: list, list: { glyphs: ["›"], live: [highlight] }, footer: ["^enter"]');
    const { candidate } = await detectOn(glyphs, ["Which?", "", ...rows, "", "enter select"], HIDDEN);
    expect(candidate?.choices).toHaveLength(11);
    expect(candidate?.highlighted).toBe(10);
  });
});

describe("a list longer than its place", () => {
  it("offers what is drawn and the key that works without the rest, and says that it is cut", async () => {
    const rows = [
      "Run rm -rf build?",
      "",
      `${REVERSE}› 1. Yes${PLAIN}`,
      "  2. Yes, always",
      "↓",
      "enter select",
    ];
    const { candidate } = await detectOn(marked, rows, HIDDEN);
    expect(candidate?.choices.map(({ label, intent, answer }) => [label, intent, answer])).toEqual([
      ["Yes", "other", { by: "key", key: "1" }],
      ["Yes, always", "other", { by: "key", key: "2" }],
      ["No (Esc)", "reject_once", { by: "key", key: "\u001b" }],
    ]);
    expect(candidate).toMatchObject({ torn: expect.any(String) as string, content: { cut: {} } });
  });

  it("is known by its missing last row where no mark is drawn", async () => {
    const rows = ["Run it?", `${REVERSE}› 1. Yes${PLAIN}`, "  2. Yes, always", "enter select"];
    const { candidate } = await detectOn(marked, rows, HIDDEN);
    expect(candidate?.torn).toBeDefined();
  });

  it("is known by its first number when only its last row is drawn; the digit stays that of the row", async () => {
    const { candidate } = await detectOn(
      marked,
      ["Run it?", "↑", `${REVERSE}› 3. No${PLAIN}`, "enter select"],
      HIDDEN,
    );
    expect(candidate).toMatchObject({ torn: expect.any(String) as string, question: "Run it?" });
    expect(candidate?.choices[0]).toMatchObject({ label: "No", answer: { by: "key", key: "3" } });
  });
});

describe("a list with its details beside", () => {
  it("wraps both columns for themselves", async () => {
    const beside = compileRule(
      'shape: list, list: { glyphs: ["›"], live: [highlight], details: beside }, footer: ["^enter"]',
    );
    const rows = [
      "Where should the answers be kept?",
      "",
      `${REVERSE}› 1. In the memory  Fast; lost   ${PLAIN}`,
      `${REVERSE}     of a process   with a start ${PLAIN}`,
      `  2. In Redis       ${DIM}One more     ${PLAIN}`,
      `                    ${DIM}thing to run${PLAIN}`,
      "enter select",
    ];
    const { candidate } = await detectOn(beside, rows, HIDDEN);
    expect(candidate?.choices.map(({ label, detail }) => [label, detail])).toEqual([
      ["In the memory of a process", "Fast; lost with a start"],
      ["In Redis", "One more thing to run"],
    ]);
  });
});

describe("a loose list", () => {
  it("has blank rows between its choices, and text that goes on at the left edge", async () => {
    const loose = compileRule(
      'shape: list, list: { glyphs: [">"], live: [highlight], loose: true }, footer: ["^Press enter"]',
    );
    const rows = [
      "How to sign in?",
      "",
      `${GREEN}> 1. With a plan${PLAIN}`,
      `${DIM}     Usage included with Plus,${PLAIN}`,
      `${DIM}and Enterprise plans${PLAIN}`,
      "",
      "  2. With a key",
      "",
      "  Press enter to continue",
    ];
    const { candidate } = await detectOn(loose, rows, { ...HIDDEN, cols: 34 });
    expect(candidate?.choices.map(({ label, detail }) => [label, detail ?? null])).toEqual([
      ["With a plan", "Usage included with Plus, and Enterprise plans"],
      ["With a key", null],
    ]);
  });
});

describe("a dialog in a frame", () => {
  const boxed = compileRule(
    'shape: list, frame: box, list: { glyphs: ["●"], live: [highlight] }, content: body',
  );
  const row = (text: string): string => `│ ${text.padEnd(36)} │`;
  const lit = (text: string): string => `│ ${GROUND}${text.padEnd(36)}${PLAIN} │`;
  const top = `╭${"─".repeat(38)}╮`;
  const bottom = `╰${"─".repeat(38)}╯`;
  const inner = [`╭${"─".repeat(34)}╮`, `│ ${"rm -rf build".padEnd(32)} │`, `╰${"─".repeat(34)}╯`];
  const dialog = [
    top,
    row("? Shell"),
    ...inner.map(row),
    row("Allow it?"),
    row(""),
    lit("● 1. Allow once"),
    row("  2. No"),
    bottom,
  ];
  const SIZE = { ...HIDDEN, cols: 40 };

  it("is read without its drawing, the boxes inside of it neither", async () => {
    const { candidate } = await detectOn(boxed, ["an answer", "", ...dialog], SIZE);
    expect(candidate).toMatchObject({
      question: "Allow it?",
      highlighted: 1,
      content: { text: "? Shell\n  rm -rf build", cut: null },
      region: { top: 3 },
    });
  });

  it("is over when something stands below its frame", async () => {
    const { candidate } = await detectOn(boxed, [...dialog, " > Type your message"], SIZE);
    expect(candidate).toBeNull();
  });

  it("says that it is cut when the frame's top is lost", async () => {
    const { candidate } = await detectOn(boxed, dialog.slice(2), SIZE);
    expect(candidate).toMatchObject({ question: "Allow it?", content: { cut: {} } });
  });

  it("may have a scroll bar beside it", async () => {
    const { candidate } = await detectOn(
      boxed,
      dialog.map((text) => `${text}█`),
      { ...HIDDEN, cols: 41 },
    );
    expect(candidate).toMatchObject({ question: "Allow it?" });
  });

  it("may hold signs that take no room of their own", async () => {
    const marked = [...dialog.slice(0, 1), row("●\ufe0e Extensions changed "), ...dialog.slice(2)];
    const { candidate } = await detectOn(boxed, marked, SIZE);
    expect(candidate).toMatchObject({ question: "Allow it?" });
  });

  it("says that it is cut while a box inside of it does not end", async () => {
    const torn = [...dialog.slice(0, 4), ...dialog.slice(5)];
    const { candidate } = await detectOn(boxed, torn, SIZE);
    expect(candidate).toMatchObject({ content: { cut: {} } });
  });

  it("may stand left of a scroll bar that comes and goes", async () => {
    const edged = compileRule(
      'shape: list, frame: edge, list: { glyphs: ["›"], live: [highlight] }, footer: ["^enter select$"]',
    );
    const rows = ["Allow it?", "", `${GREEN}› 1. Yes${PLAIN}`, "  2. No", "", "enter select"];
    const bar = (text: string, sign: string) => `${text}\u001b[40G${sign}`;
    const still = await detectOn(edged, rows, SIZE);
    const moving = await detectOn(
      edged,
      rows.map((text, index) => bar(text, index < 2 ? "│" : "█")),
      SIZE,
    );
    expect(still.candidate).toMatchObject({ question: "Allow it?", highlighted: 1 });
    expect(moving.candidate?.fingerprint).toBe(still.candidate?.fingerprint);
  });

  it("may have a bar at its side only", async () => {
    const barred = compileRule(
      'shape: list, frame: bar, list: { live: [highlight], numbers: required }, footer: ["^esc"]',
    );
    const rows = [
      "  ┃ hello",
      "",
      "  ┃  Which one?",
      `  ┃  ${GROUND}1. Red${PLAIN}`,
      "  ┃  2. Blue",
      "  ┃",
      "  ┃  esc dismiss",
    ];
    const { candidate } = await detectOn(barred, rows, HIDDEN);
    expect(candidate).toMatchObject({
      question: "Which one?",
      highlighted: 1,
      region: { top: 2, bottom: 6 },
    });
  });
});

describe("a text field", () => {
  const field = compileRule('shape: field, field: "^ {2}› ", footer: ["^enter"], start: "^ {2}Field"');
  const rows = (text: string) => [
    "  Field 2/3",
    "",
    "  Your name?",
    "",
    `  › ${text}`,
    "",
    "  enter to submit",
  ];

  it("is a question for text while the cursor is in it", async () => {
    const { candidate } = await detectOn(field, rows("Type here"), { alternate: true, cursor: [4, 4] });
    expect(candidate).toMatchObject({
      promptType: "free_text",
      question: "Your name?",
      textEntry: "paste",
      content: { text: "Field 2/3\n\nYour name?" },
    });
    expect(candidate?.hasDraft).toBeUndefined();
  });

  it("is the same question with other text in it, and says that somebody typed", async () => {
    const empty = await detectOn(field, rows(""), { alternate: true, cursor: [4, 4] });
    const typed = await detectOn(field, rows("Ara"), { alternate: true, cursor: [7, 4] });
    expect(typed.candidate?.fingerprint).toBe(empty.candidate?.fingerprint);
    expect(typed.candidate).toMatchObject({ hasDraft: true });
  });

  it("is text when the cursor is elsewhere or hidden", async () => {
    expect((await detectOn(field, rows("x"), { alternate: true, cursor: [0, 0] })).candidate).toBeNull();
    expect((await detectOn(field, rows("x"), HIDDEN)).candidate).toBeNull();
  });

  it("for a secret needs no cursor: nothing is ever typed there", async () => {
    const key = compileAdapter(
      `${HEAD}rules:\n  - { name: key, class: secret, confidence: 0.9, shape: field, field: "^> ", footer: ["^Press"] }\n`,
      "x",
    );
    const { candidate } = await detectOn(key, ["Paste your key", "> sk-000", "Press enter"], HIDDEN);
    expect(candidate).toMatchObject({ promptType: "secret", content: { text: "" } });
  });
});

describe("choices side by side", () => {
  const bar = compileRule(
    'shape: buttons, buttons: ground, choices: [{ label: "^Allow", intent: allow_once }, { label: "^Reject$", intent: reject_once }], footer: ["^enter"]',
  );
  const row = (chosen: number) => {
    const cell = (label: string, index: number) =>
      index === chosen ? `${GROUND} ${label} ${PLAIN}` : ` ${label} `;
    return ["Allow once", "Allow always", "Reject"].map(cell).join(" ") + "   ctrl+f fullscreen";
  };

  it.each([0, 1, 2])(
    "are read with the one on another ground, %i, and the hints left out",
    async (chosen) => {
      const { candidate } = await detectOn(bar, ["Run it?", "", row(chosen), "", "enter confirm"], HIDDEN);
      expect(candidate).toMatchObject({ question: "Run it?", highlighted: chosen + 1 });
      expect(candidate?.choices.map(({ label, answer }) => [label, answer.by])).toEqual([
        ["Allow once", "arrows"],
        ["Allow always", "arrows"],
        ["Reject", "arrows"],
      ]);
    },
  );

  it("are text when none stands out, or the cursor is visible", async () => {
    expect((await detectOn(bar, ["Run it?", "", row(-1)], HIDDEN)).candidate).toBeNull();
    expect((await detectOn(bar, ["Run it?", "", row(0)], { alternate: true })).candidate).toBeNull();
  });
});

describe("a dialog that only wants Enter", () => {
  const confirm = compileRule(
    'shape: confirm, question: "^(Review your answers:)", footer: ["^Enter to submit"]',
  );
  const rows = ["Review your answers:", "", "Region → EU", "", "Enter to submit · Esc to cancel"];

  it("is recognised when its footer is the last thing on the screen", async () => {
    const { candidate } = await detectOn(confirm, rows, HIDDEN);
    expect(candidate).toMatchObject({
      promptType: "confirm_enter",
      question: "Review your answers:",
      content: { text: "Review your answers:\n\nRegion → EU" },
    });
  });

  it("is text when something stands below, or the cursor is visible", async () => {
    expect((await detectOn(confirm, [...rows, "", "> Ask anything"], HIDDEN)).candidate).toBeNull();
    expect((await detectOn(confirm, rows, { alternate: true })).candidate).toBeNull();
  });
});

describe("the field that a row opens below itself", () => {
  const own = compileRule(
    'shape: list, list: { live: [highlight], numbers: required, fields: shown }, footer: ["^enter"], ' +
      'choices: [{ label: "^Type your own", intent: other, takes_text: required }]',
  );
  const rows = (first: string, last: string, ...field: readonly string[]): string[] => [
    ...["Which one?", ""],
    ...[
      `  ${first}1. Red${PLAIN}`,
      "     Warm",
      "  2. Blue",
      `  ${last}3. Type your own answer${PLAIN}`,
      ...field,
    ],
    ...["", "enter select"],
  ];

  it.each(["Type your own answer", "Blue, please"])(
    "is no part of the prompt, with any text in it: %s",
    async (text) => {
      const closed = await detectOn(own, rows(GREEN, ""), HIDDEN);
      const cursor = [5, 6] as const;
      const open = await detectOn(own, rows("", GREEN, `     ${text}`), { alternate: true, cursor });
      expect(closed.candidate?.content.text).toBe("Which one?\nRed\n  Warm");
      expect(open.candidate).toMatchObject({ highlighted: 3, content: closed.candidate?.content });
    },
  );
});

describe("a list that shows for a moment what was chosen", () => {
  const ticking = compileRule(
    'shape: list, list: { live: [highlight], numbers: required, chosen_behind: ["✓"] }, footer: ["^enter"], ' +
      'choices: [{ label: "^Type your own$", intent: other, takes_text: required }]',
  );
  const asked = (own: readonly string[]): string[] => [
    "Which one?",
    "",
    "1. SQLite",
    "2. MariaDB",
    ...own,
    "",
    "enter select",
  ];

  it("is the same question with its tick and the words that were typed", async () => {
    const before = await detectOn(ticking, asked([`${GREEN}3. Type your own${PLAIN}`]), HIDDEN);
    const after = await detectOn(
      ticking,
      asked([`${GREEN}3. Type your own ✓${PLAIN}`, "   In the office"]),
      HIDDEN,
    );
    expect(after.candidate?.choices.map(({ label }) => label)).toEqual([
      "SQLite",
      "MariaDB",
      "Type your own",
    ]);
    expect(after.candidate?.fingerprint).toBe(before.candidate?.fingerprint);
  });

  it("has a sign that is no word of its own for a part of the label", async () => {
    const { candidate } = await detectOn(ticking, asked([`${GREEN}3. Done✓${PLAIN}`]), HIDDEN);
    expect(candidate?.choices[2]?.label).toBe("Done✓");
  });
});

describe("a row below a label", () => {
  const dotted = compileRule(
    'shape: list, list: { glyphs: ["●"], unmarked: ["○"], live: [hidden], wraps: true }, footer: ["^enter"]',
  );
  const readLabels = async (rows: readonly string[]) =>
    (await detectOn(dotted, ["Sure?", "", ...rows], HIDDEN)).candidate?.choices.map(({ label }) => label);

  it("continues it at the column of the mark where the row above is full", async () => {
    const full = `○ No, and ${"x".repeat(60)}`;
    expect(await readLabels(["● Yes", full, "tell it why", "enter select"])).toEqual([
      "Yes",
      `${full.slice(2)} tell it why`,
    ]);
  });

  it("is something else there where the row above has room left", async () => {
    expect(await readLabels(["● Yes", "○ No", "Choose with return", "enter select"])).toBeUndefined();
  });
});

describe("a list or a button that only colours tell from what is around it", () => {
  const filter = compileRule('shape: list, list: { glyphs: [">"], live: [hidden], plain: true }');
  const window = compileRule("shape: buttons, tty: raw, frame: window, buttons: angle");
  const FRAMED = [
    "┌────────────────┐",
    "│ Pick one       │",
    "│ ┌────────────┐ │",
    "│ │ 1 Install  │ │",
    "│ └────────────┘ │",
    "│ <OK>  <Cancel> │",
    "└────────────────┘",
  ];
  const ON_OK = { alternate: true, cursor: [3, 5] } as const;

  it("is not read without them", async () => {
    const rows = ["Which?", "", "> alpha", "  beta"];
    expect((await detectOn(filter, rows, HIDDEN)).candidate).toBeNull();
    const coloured = rows.with(0, `${GREEN}Which?${PLAIN}`);
    expect((await detectOn(filter, coloured, HIDDEN)).candidate).toMatchObject({
      choices: [{ label: "alpha" }, { label: "beta" }],
    });
  });

  it("is no button of a window with a frame in it", async () => {
    expect((await detectOn(window, FRAMED, ON_OK)).candidate).toBeNull();
    const coloured = FRAMED.with(3, `│ │ ${GROUND}1 Install${PLAIN}  │ │`);
    expect((await detectOn(window, coloured, ON_OK)).candidate).toMatchObject({
      choices: [{ label: "OK" }, { label: "Cancel" }],
    });
  });
});
