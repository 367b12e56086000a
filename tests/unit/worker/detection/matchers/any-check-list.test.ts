/** A list with ticks that no rule describes is read with its ticks, and is answered only by keys that the screen itself names. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchAnyList } from "../../../../../src/worker/detection/matchers/any-list.js";
import { toPage } from "../../../../../src/worker/detection/layout/layout.js";
import { drawView, type Drawing } from "../screens.js";

const HIDDEN: Drawing = { alternate: true, cursorHidden: true };
const QUESTION = ["─".repeat(40), " Which parts shall be built?", ""];
const KEYS = ["", " Space to toggle · Enter to confirm · Esc to cancel"];

async function read(rows: readonly string[], drawing: Drawing = HIDDEN) {
  return matchAnyList(toPage(await drawView(rows, drawing)));
}

describe("a list with ticks that no rule describes", () => {
  it.each([
    ["a box before each label", [" ❯ [ ] Auth", "   [x] Billing"]],
    ["a number before each box", [" › 1. [ ] Auth", "   2. [✓] Billing"]],
    ["a number behind each box", [" ➜ [ ] 1. Auth", "   [X] 2. Billing"]],
    ["signs of boxes", [" > ☐ Auth", "   ☑ Billing"]],
    ["filled squares", [" ▸ ◻ Auth", "   ◼ Billing"]],
    ["circles", [" ❯ ◯ Auth", "   ◉ Billing"]],
    ["the mark right at the circle", ["❯◯ Auth", " ◉ Billing"]],
    ["round brackets", [" ❯ ( ) Auth", "   (*) Billing"]],
    ["what explains each row", [" ❯ [ ] Auth", "       sign in", "   [x] Billing", "       pay"]],
    ["a row that submits it", [" ❯ [ ] Auth", "   [x] Billing", "       Enable selected"]],
    ["more rows below", [" ❯ 1. [ ] Auth", "   2. [x] Billing", " ↓ 3 more"]],
    [
      "a box around",
      [
        "╭───────────────╮",
        "│ Which parts?  │",
        "│ ● [ ] Auth    │",
        "│   [x] Billing │",
        "╰───────────────╯",
      ],
    ],
  ])("is read with its ticks: %s", async (_, rows) => {
    const found = await read([...QUESTION, ...rows, ...KEYS]);
    expect(found?.choices.map(({ label, checked }) => [label, checked])).toEqual([
      ["Auth", false],
      ["Billing", true],
    ]);
    expect(found).toMatchObject({
      rule: "any_list",
      score: 0.6,
      highlighted: 1,
      constraints: { multi: true },
    });
    expect(found?.content.cut).not.toBeNull();
  });

  it.each([
    ["steps of work", [" Todos", " → ☐ Mend it", "   ☑ Read it"]],
    [
      "steps below any heading, with nothing that announces choices",
      [" Next", " ❯ ☐ Mend it", "   ☑ Read it"],
    ],
    ["no row is marked", [" Which parts?", "   [ ] Auth", "   [x] Billing"]],
    ["a text behind bullets", [" What now?", " ❯ ● Auth", "   ● Billing"]],
    ["a row in the middle has none", [" Which parts?", " ❯ [ ] Auth", "   All of them", "   [x] Billing"]],
    [
      "somebody types elsewhere",
      [" Which parts?", " ❯ [ ] Auth", "   [x] Billing", "", "> "],
      { alternate: true },
    ],
    ["a tick that is a sign of something else", [" Which parts?", " ❯ • Auth", "   ◦ Billing"]],
  ] as const)("is not seen in %s", async (_, rows, drawing: Drawing = HIDDEN) => {
    expect(await read(rows, drawing)).toBeNull();
  });

  it("is read where a colour alone shows the highlight, below words that let several rows be ticked", async () => {
    const lit = (text: string): string => `  \u001b[38;5;4m${text}\u001b[0m`;
    const rows = (...drawn: readonly string[]): readonly string[] => [
      " Which parts? (select all that apply)",
      "",
      ...drawn,
    ];
    const plain = ["  1. [✓] Auth", "  2. [ ] Billing"];
    const marked = rows(...plain, lit("3. [✓] Search"));
    expect(await read(marked)).toMatchObject({ highlighted: 3, shape: "check_list" });
    expect((await read(marked))?.choices.map(({ label, checked }) => [label, checked])).toEqual([
      ["Auth", true],
      ["Billing", false],
      ["Search", true],
    ]);
    expect(await read([" Which parts?", "", ...marked.slice(2)])).toBeNull();
    expect(await read(marked.map((row) => row.replace(/\u001b\[[0-9;]*m/gu, "")))).toBeNull();
  });

  it("is not said to have a highlight where a row may look otherwise for its tick", async () => {
    const lit = (text: string): string => `  \u001b[38;5;4m${text}\u001b[0m`;
    const asked = [" Which parts? (select all that apply)", ""];
    const keys = ["", " Space to toggle · Enter to confirm"];
    for (const rows of [
      [lit("1. [✓] Auth"), "  2. [ ] Billing", "  3. [ ] Search"],
      [lit("1. [✓] Auth"), lit("2. [✓] Billing"), "  3. [ ] Search"],
      [lit("1. [ ] Auth"), "  2. [ ] Billing"],
    ]) {
      const found = await read([...asked, ...rows, ...keys]);
      expect(found?.choices).toHaveLength(rows.length);
      expect(found).toMatchObject({ highlighted: null, constraints: { localOnly: true } });
    }
  });

  it("is one of several where round signs fill one row and nothing says that more may be ticked", async () => {
    const rows = ["   ( ) Light", " ❯ (•) Dark", "   ( ) Auto"];
    expect(await read([...QUESTION, ...rows])).toMatchObject({ shape: "radio_list", highlighted: 2, at: 2 });
    expect((await read([...QUESTION, ...rows]))?.constraints.multi).toBeUndefined();
    expect(await read([...QUESTION, ...rows, ...KEYS])).toMatchObject({ shape: "check_list" });
  });

  it.each([
    ["both are named", " Space to toggle · Enter to confirm", { toggle: " ", submit: [{ key: "\r" }] }],
    [
      "in other words",
      " ↑/↓: Navigate | Space: Select | Enter: Submit | Esc: Cancel",
      { toggle: " ", submit: [{ key: "\r" }] },
    ],
    ["Tab goes on", " enter toggle  tab next  esc back", { toggle: "\r", submit: [{ key: "\t" }] }],
    ["Enter ticks or goes on", " space toggle  enter select and go on", undefined],
    ["Enter ticks", " ↑↓ select  enter toggle  esc dismiss", undefined],
    ["Enter chooses a row", " Enter to select · ↑/↓ to navigate · Esc to cancel", undefined],
    ["only one is named", " Space to select · Esc to reject all", undefined],
    ["none is named", " Select all that apply", undefined],
  ])("is answered by keys that the screen names, and else by nobody: %s", async (_, keys, checkList) => {
    const found = await read([...QUESTION, " ❯ [ ] Auth", "   [x] Billing", "", keys]);
    expect(found?.choices).toHaveLength(2);
    expect(found?.checkList).toEqual(checkList);
    expect(found?.constraints.localOnly).toBe(checkList === undefined ? true : undefined);
  });

  it.each([["       Submit"], ["   Done"]])(
    "is answered by nobody where a row submits it: %s",
    async (row) => {
      const found = await read([...QUESTION, " ❯ [ ] Auth", "   [x] Billing", row, ...KEYS]);
      expect(found?.choices).toHaveLength(2);
      expect(found?.checkList).toBeUndefined();
    },
  );

  it("shows every row with its own words and tick, however it is drawn, or nothing", async () => {
    const word = fc.stringMatching(/^[A-Z][a-z]{1,8}(?: [a-z]{1,8}){0,3}$/u);
    const pairs = fc.constantFrom(
      ["[x]", "[ ]"],
      ["[✓]", "[ ]"],
      ["☑", "☐"],
      ["◼", "◻"],
      ["◉", "◯"],
      ["●", "○"],
    );
    const drawn = fc.record({
      labels: fc.uniqueArray(word, { minLength: 2, maxLength: 6 }),
      ticked: fc.infiniteStream(fc.boolean()),
      pair: pairs,
      mark: fc.constantFrom("❯", "›", ">", "➜", "▸", "→"),
      at: fc.nat(5),
      isNumbered: fc.boolean(),
      isBoxed: fc.boolean(),
      hasDetails: fc.boolean(),
      footer: fc.constantFrom(KEYS, ["", " Select all that apply"], ["", " enter toggle", " esc back"]),
      size: fc.constantFrom<[number, number]>([60, 20], [80, 24], [120, 40], [200, 50]),
    });
    await fc.assert(
      fc.asyncProperty(drawn, async (one) => {
        const { labels, pair, size } = one;
        const ticks = labels.map(() => one.ticked.next().value === true);
        const at = one.at % labels.length;
        const list = labels.flatMap((label, i) => [
          ` ${i === at ? one.mark : " "} ${one.isNumbered ? `${i + 1}. ` : ""}${pair[ticks[i] ? 0 : 1]} ${label}`,
          ...(one.hasDetails ? ["          what it is"] : []),
        ]);
        const rows = [" Which parts shall be built?", "", ...list, ...one.footer];
        const width = size[0] - 2;
        const boxed = [
          `╭${"─".repeat(width)}╮`,
          ...rows.map((row) => `│${row.padEnd(width)}│`),
          `╰${"─".repeat(width)}╯`,
        ];
        const drawing = { ...HIDDEN, cols: size[0], rows: size[1] };
        const found = await read(one.isBoxed ? boxed : rows, drawing);
        expect(found?.choices.map(({ label, checked }) => [label, checked])).toEqual(
          labels.map((label, i) => [label, ticks[i]]),
        );
        expect(found?.highlighted).toBe(at + 1);
      }),
      { numRuns: 60 },
    );
  });
});
