/**
 * The plan for a choice is its own key without Enter, or arrows that check the highlight before each key. A check list toggles
 * only rows that differ.
 */
import { describe, expect, it } from "vitest";
import type { Candidate } from "../../../../../src/sdk/candidate.js";
import { ANY_BUTTONS, ANY_LIST } from "../../../../../src/worker/detection/matchers/any-list-rule.js";
import { ARROWS, makeCandidate, makeChoices, replyTo, makeView } from "../make.js";
import { keysFor, planned, refusal } from "./planned.js";

const UP = "\u001b[A";
const DOWN = "\u001b[B";
const RIGHT = "\u001b[C";
const LEFT = "\u001b[D";

const arrowList = (count: number, highlighted: number | null): Candidate =>
  makeCandidate({
    choices: makeChoices(
      ...Array.from({ length: count }, (_, i) => ({ label: `row ${i + 1}`, answer: ARROWS })),
    ),
    highlighted,
  });

describe("a choice with its own key", () => {
  it("is exactly that key and never a trailing Enter", () => {
    expect(keysFor(makeCandidate(), "1")).toEqual(["1"]);
    expect(keysFor(makeCandidate(), "2")).toEqual(["2"]);
  });

  it("may be the key Esc", () => {
    const choices = makeChoices({ label: "Yes" }, { label: "No", answer: { by: "key", key: "\u001b" } });
    expect(keysFor(makeCandidate({ choices }), "2")).toEqual(["\u001b"]);
  });

  it("is not typed when the declared key is more than one key", () => {
    const choices = makeChoices({ label: "Yes", answer: { by: "key", key: "1\r" } });
    expect(refusal(makeCandidate({ choices }), "1")).toBe("no_plan");
  });

  describe("where the highlight stands on a text field", () => {
    const choices = makeChoices(
      { label: "Yes" },
      { label: "Yes, and don't ask again for: mktemp *1", takesText: "required" },
      { label: "No" },
    );

    it("is reached with arrows: a digit would be text there", () => {
      expect(keysFor(makeCandidate({ choices, highlighted: 2 }), "1")).toEqual([UP, "\r"]);
      expect(keysFor(makeCandidate({ choices, highlighted: 2 }), "3")).toEqual([DOWN, "\r"]);
      expect(keysFor(makeCandidate({ choices, highlighted: 1 }), "3")).toEqual(["3"]);
    });

    it("is reached with arrows from a field whose text is optional, too; a key that is no text is pressed", () => {
      const optional = makeChoices(
        { label: "Yes" },
        { label: "No, and say why", takesText: "optional", answer: { by: "key", key: "\u001b" } },
      );
      expect(keysFor(makeCandidate({ choices: optional, highlighted: 2 }), "1")).toEqual([UP, "\r"]);
      expect(keysFor(makeCandidate({ choices: optional, highlighted: 2 }), "2")).toEqual(["\u001b"]);
    });

    it("is not taken when it is that field: somebody may have typed into it", () => {
      expect(refusal(makeCandidate({ choices, highlighted: 2 }), "2")).toBe("text_required");
    });
  });

  it("has a plan that expects the tool to end", () => {
    const candidate = makeCandidate({ endsTool: [2] });
    expect(planned(candidate, replyTo(candidate, "2")).endsTool).toBe(true);
    expect(planned(candidate, replyTo(candidate, "1")).endsTool).toBe(false);
  });
});

describe("a choice of a list that no rule describes", () => {
  const list = (highlighted: number): Candidate => ({ ...arrowList(3, highlighted), rule: ANY_LIST });

  it("is confirmed only after the mark was seen to follow an arrow, even where it is marked already", () => {
    expect(keysFor(list(1), "1")).toEqual([DOWN, UP, "\r"]);
    expect(keysFor(list(3), "3")).toEqual([UP, DOWN, "\r"]);
    expect(keysFor(list(1), "3")).toEqual([DOWN, DOWN, "\r"]);
    const highlights = planned(list(1), replyTo(list(1), "1")).steps.map(
      ({ expects }) => expects.highlighted,
    );
    expect(highlights).toEqual([1, 2, 1]);
  });
});

describe("a button that no rule describes", () => {
  const buttons = (highlighted: number): Candidate => ({
    ...makeCandidate({
      choices: makeChoices(
        ...["Allow", "Always", "Reject"].map((label, i) => ({
          label,
          answer: ARROWS,
          firstRow: 5,
          lastRow: 5,
          column: 2 + 10 * i,
        })),
      ),
      highlighted,
    }),
    rule: ANY_BUTTONS,
  });

  it("is confirmed only after its background was seen to follow an arrow", () => {
    expect(keysFor(buttons(1), "1")).toEqual([RIGHT, LEFT, "\r"]);
    expect(keysFor(buttons(1), "3")).toEqual([RIGHT, RIGHT, "\r"]);
  });
});

describe("ticks of a list that no rule describes", () => {
  const list = (...ticks: readonly boolean[]): Candidate => ({
    ...makeCandidate({
      choices: makeChoices(
        ...ticks.map((checked, i) => ({ label: `row ${i + 1}`, answer: ARROWS, checked })),
      ),
      highlighted: 1,
      constraints: { multi: true },
    }),
    rule: ANY_LIST,
    checkList: { toggle: " ", submit: [{ key: "\r" }] },
  });

  it("are set and submitted only after the mark was seen to follow an arrow", () => {
    expect(keysFor(list(false, false), "1")).toEqual([DOWN, UP, " ", "\r"]);
    expect(keysFor(list(true, false), "2")).toEqual([DOWN, UP, " ", DOWN, " ", "\r"]);
    expect(keysFor(list(true, false), "1")).toEqual([DOWN, UP, "\r"]);
  });

  it("are left alone where no row is marked, where there is but one, or where no keys are known", () => {
    expect(refusal({ ...list(false, false), highlighted: null }, "1")).toBe("no_plan");
    expect(refusal(list(false), "1")).toBe("no_plan");
    const keyless = { ...list(false, false), checkList: { toggle: " ", submit: [] } };
    expect(refusal(keyless, "1")).toBe("no_plan");
  });
});

describe("a choice that is reached with arrows", () => {
  it.each<[number, string, string[]]>([
    [1, "1", ["\r"]],
    [1, "3", [DOWN, DOWN, "\r"]],
    [3, "1", [UP, UP, "\r"]],
    [4, "3", [UP, "\r"]],
    // The other way round would be shorter, if lists were known to wrap.
    [1, "5", [DOWN, DOWN, DOWN, DOWN, "\r"]],
  ])("moves from row %i to row %s one key at a time", (from, value, keys) => {
    expect(keysFor(arrowList(5, from), value)).toEqual(keys);
  });

  it("asks for the highlight before every key, the Enter above all", () => {
    const candidate = arrowList(4, 2);
    const { steps } = planned(candidate, replyTo(candidate, "4"));
    expect(steps.map(({ expects }) => expects)).toEqual([
      { identity: "same", highlighted: 2 },
      { identity: "same", highlighted: 3 },
      { identity: "same", highlighted: 4 },
    ]);
  });

  it("is sent in the form that the screen asked for (DECCKM)", () => {
    const view = makeView([], { modes: { applicationCursorKeys: true } });
    expect(keysFor(arrowList(2, 1), "2", undefined, view)).toEqual(["\u001bOB", "\r"]);
  });

  it("goes left and right where the choices stand side by side", () => {
    const choices = makeChoices(
      { label: "Allow once", answer: ARROWS, firstRow: 4 },
      { label: "Allow always", answer: ARROWS, firstRow: 4 },
      { label: "Reject", answer: ARROWS, firstRow: 4 },
    );
    expect(keysFor(makeCandidate({ choices }), "3")).toEqual([RIGHT, RIGHT, "\r"]);
    expect(keysFor(makeCandidate({ choices, highlighted: 2 }), "1")).toEqual([LEFT, "\r"]);
  });

  it("goes up to the next choice of a list that is drawn from the bottom", () => {
    const choices = makeChoices(
      { label: "a", answer: ARROWS, firstRow: 9 },
      { label: "b", answer: ARROWS, firstRow: 8 },
    );
    expect(keysFor(makeCandidate({ choices }), "2")).toEqual([UP, "\r"]);
  });

  it("is not guessed without a highlight, or in a grid", () => {
    expect(refusal(arrowList(3, null), "2")).toBe("no_plan");
    const grid = [1, 1, 2, 2].map((firstRow) => ({ label: "cell", answer: ARROWS, firstRow }));
    expect(refusal(makeCandidate({ choices: makeChoices(...grid) }), "4")).toBe("no_plan");
  });
});

describe("yes and no", () => {
  const yesNo = (parts: Partial<Candidate> = {}): Candidate => {
    const choices = makeChoices(
      { label: "Yes", intent: "allow_once", answer: { by: "line", text: "y" } },
      { label: "No", intent: "reject_once", answer: { by: "line", text: "n" } },
    );
    return makeCandidate({ promptType: "yes_no", shape: "inline", choices, highlighted: 2, ...parts });
  };

  it("is typed on its line with a carriage return", () => {
    expect(keysFor(yesNo(), "y")).toEqual(["y\r"]);
    expect(keysFor(yesNo(), "n")).toEqual(["n\r"]);
  });

  it("is typed without one where the policy says so", () => {
    const candidate = yesNo();
    const reply = replyTo(candidate, "y", undefined, "none");
    expect(planned(candidate, reply).steps.map(({ keys }) => keys)).toEqual(["y"]);
  });

  it("is refused when the adapter's intents contradict the words", () => {
    const choices = makeChoices(
      { label: "No, exit", intent: "reject_once", answer: ARROWS },
      { label: "Yes, I trust this folder", intent: "allow_once", answer: ARROWS },
    );
    expect(refusal(yesNo({ choices }), "y")).toBe("no_plan");
    expect(refusal(yesNo({ choices }), "n")).toBe("no_plan");
  });

  it("takes no other word", () => {
    expect(refusal(yesNo(), "ok")).toBe("option_unknown");
    expect(refusal(yesNo(), "")).toBe("option_unknown");
  });
});

describe("a check list", () => {
  const rows = (checked: boolean[], parts: object = {}): ReturnType<typeof makeChoices> =>
    makeChoices(...checked.map((on, i) => ({ label: `row ${i + 1}`, checked: on, ...parts })));
  const list = (checked: boolean[], parts: Partial<Candidate> = {}): Candidate =>
    makeCandidate({
      shape: "check_list",
      constraints: { multi: true },
      choices: rows(checked),
      checkList: { submit: [{ key: "\t", leadsTo: "review" }, { key: "1" }] },
      ...parts,
    });

  it("toggles only the rows that differ, then submits as declared", () => {
    expect(keysFor(list([false, true, true]), "1,3")).toEqual(["1", "2", "\t", "1"]);
    expect(keysFor(list([true, false]), "1")).toEqual(["\t", "1"]);
    expect(keysFor(list([true, false]), "")).toEqual(["1", "\t", "1"]);
  });

  it("asks for every tick as wanted before it submits, and for the review page before its key", () => {
    const candidate = list([false, true, true]);
    const { steps } = planned(candidate, replyTo(candidate, "1,3"));
    expect(steps.map(({ expects }) => expects)).toEqual([
      { identity: "same", ticked: [] },
      { identity: "same", ticked: [{ choice: 1, on: true }] },
      {
        identity: "same",
        ticked: [
          { choice: 1, on: true },
          { choice: 2, on: false },
          { choice: 3, on: true },
        ],
      },
      { identity: { rule: "review" } },
    ]);
  });

  it("moves to each row where one key ticks the highlighted one", () => {
    const candidate = list([false, false, false], {
      choices: rows([false, false, false], { answer: ARROWS }),
      checkList: { toggle: " ", submit: [{ key: "\r" }] },
    });
    expect(keysFor(candidate, "1,3")).toEqual([" ", DOWN, DOWN, " ", "\r"]);
  });

  it("is not typed when the adapter does not say how to submit, or a wanted row has no tick", () => {
    const undeclared = makeCandidate({ constraints: { multi: true }, choices: rows([false]) });
    expect(refusal(undeclared, "1")).toBe("no_plan");
    const choices = makeChoices({ label: "Type something." });
    expect(refusal(list([], { choices }), "1")).toBe("no_plan");
  });
});
