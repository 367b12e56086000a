/** Text fields that no rule describes: read where the cursor, a question and the keys prove one, and answered only while they are empty. */
import { describe, expect, it } from "vitest";
import { planAnswer } from "../../../../../../src/worker/answer/plan/plan.js";
import { ANY_FIELD } from "../../../../../../src/worker/detection/matchers/any/any-field.js";
import { ANY_LIST_MS } from "../../../../../../src/worker/detection/matchers/unrecognized-screen.js";
import { replyTo } from "../../../answer/make.js";
import { detectOn, drawView, shippedAdapter } from "../../screens.js";

const claude = shippedAdapter("claude");
const LINE = "─".repeat(80);
const SHOWN = { alternate: true } as const;
const KEYS = "  Enter to submit · Esc to cancel";
const FIELD = [LINE, "  A name for the branch?", "", "  ❯ ", "", KEYS];
const AT_FIELD = { ...SHOWN, cursor: [4, 3] } as const;

describe("a text field that no rule describes", () => {
  it("is asked for its text soon, with the lowest score and no more room than its row has", async () => {
    const { candidate, stableMs } = await detectOn(claude, FIELD, AT_FIELD);
    expect(candidate).toMatchObject({
      rule: ANY_FIELD,
      promptType: "free_text",
      question: "A name for the branch?",
      score: 0.6,
      textEntry: "paste",
      constraints: { maxLength: 72 },
      content: { cut: {} },
    });
    expect(candidate?.hasDraft).toBeUndefined();
    expect(stableMs).toBe(ANY_LIST_MS);
  });

  it.each([
    ["without a mark, in an empty row", FIELD.with(3, ""), { ...SHOWN, cursor: [2, 3] }],
    [
      "left of its keys",
      [...FIELD.slice(0, 3), `${" ".repeat(40)}enter confirm  esc cancel`],
      { ...SHOWN, cursor: [2, 3] },
    ],
    ["with a suggestion", FIELD.with(3, "  ❯ \u001b[2me.g. main\u001b[0m"), AT_FIELD],
    [
      "with a cursor that the tool draws",
      FIELD.with(3, "  ❯ \u001b[7m \u001b[0m"),
      { ...AT_FIELD, cursorHidden: true },
    ],
    [
      "in a box",
      [
        `╭${"─".repeat(78)}╮`,
        ...FIELD.slice(1).map((text) => `│${text.slice(1).padEnd(78)}│`),
        `╰${"─".repeat(78)}╯`,
      ],
      AT_FIELD,
    ],
  ] as const)("is read %s", async (_, rows, drawing) => {
    const { candidate } = await detectOn(claude, rows, drawing);
    expect(candidate).toMatchObject({ rule: ANY_FIELD, question: "A name for the branch?" });
    expect(candidate?.hasDraft).toBeUndefined();
  });

  it("stays the same prompt while somebody types, and is not answered then", async () => {
    const empty = (await detectOn(claude, FIELD, AT_FIELD)).candidate;
    const typed = FIELD.with(3, "  ❯ mai");
    const { candidate } = await detectOn(claude, typed, { ...SHOWN, cursor: [7, 3] });
    expect(candidate).toMatchObject({ fingerprint: empty?.fingerprint, hasDraft: true });
    if (!candidate) throw new Error("no candidate");
    const view = await drawView(typed, { ...SHOWN, cursor: [7, 3] });
    expect(planAnswer(candidate, view, replyTo(candidate, "main"))).not.toHaveProperty("steps");
  });

  it.each([
    ["the keys of an input box", FIELD.with(5, "  Enter to send · Esc to cancel"), AT_FIELD],
    ["no key that leaves it", FIELD.with(5, "  Enter to submit · Tab to complete"), AT_FIELD],
    ["a hidden cursor that nothing draws", FIELD, { ...AT_FIELD, cursorHidden: true }],
    ["the cursor on a row without a mark", FIELD.with(3, "    main"), AT_FIELD],
    ["the cursor where no text would begin", FIELD.with(3, ""), AT_FIELD],
    ["the cursor elsewhere", FIELD, { ...SHOWN, cursor: [4, 1] }],
    ["text between it and its keys", FIELD.with(4, "  main"), AT_FIELD],
    ["rows that it filters", [LINE, "  Which branch?", "  1. main", "  2. next", "  ❯ ", KEYS], AT_FIELD],
    ["the text row of a list", [LINE, "  Which?", "  1. main", "  ❯ 2. Another", "", KEYS], AT_FIELD],
    ["words for a secret", FIELD.with(1, "  The one-time code of your phone?"), AT_FIELD],
    ["no question", ["", "", "", "  ❯ ", "", KEYS], AT_FIELD],
  ] as const)("is none with %s", async (_, rows, drawing) => {
    const { candidate } = await detectOn(claude, rows, drawing);
    expect(candidate?.promptType).not.toBe("free_text");
  });
});
