import { describe, expect, it } from "vitest";
import type { RejectionCode } from "../../../src/model/rejection.js";
import type { Reply } from "../../../src/model/reply.js";
import type { Candidate } from "../../../src/sdk/candidate.js";
import type { View } from "../../../src/sdk/view.js";
import { isPlan, planAnswer, planOfKeys, type Plan } from "../../../src/worker/answer/plan.js";
import { LINE_BYTES_MAX } from "../../../src/worker/answer/text-plan.js";
import { ARROWS, candidateOf, choicesOf, replyTo, viewOf } from "./make.js";

const UP = "\u001b[A";
const DOWN = "\u001b[B";
const RIGHT = "\u001b[C";
const LEFT = "\u001b[D";
const PASTE = { modes: { bracketedPaste: true } } as const;

function planned(candidate: Candidate, reply: Reply, view: View = viewOf([])): Plan {
  const plan = planAnswer(candidate, view, reply);
  if (!isPlan(plan)) throw new Error(`no plan: ${plan.code}`);
  return plan;
}

function keysFor(candidate: Candidate, value: string, text?: string, view?: View): string[] {
  return planned(candidate, replyTo(candidate, value, text), view).steps.map(({ keys }) => keys);
}

function refusal(candidate: Candidate, value: string, text?: string, view: View = viewOf([])): RejectionCode {
  const plan = planAnswer(candidate, view, replyTo(candidate, value, text));
  if (isPlan(plan)) throw new Error("a plan was made");
  return plan.code;
}

const arrowList = (count: number, highlighted: number | null): Candidate =>
  candidateOf({
    choices: choicesOf(
      ...Array.from({ length: count }, (_, i) => ({ label: `row ${i + 1}`, answer: ARROWS })),
    ),
    highlighted,
  });

describe("a choice with its own key", () => {
  it("is exactly that key and never a trailing Enter", () => {
    expect(keysFor(candidateOf(), "1")).toEqual(["1"]);
    expect(keysFor(candidateOf(), "2")).toEqual(["2"]);
  });

  it("may be Esc", () => {
    const choices = choicesOf({ label: "Yes" }, { label: "No", answer: { by: "key", key: "\u001b" } });
    expect(keysFor(candidateOf({ choices }), "2")).toEqual(["\u001b"]);
  });

  it("is not typed when the declared key is more than one key", () => {
    const choices = choicesOf({ label: "Yes", answer: { by: "key", key: "1\r" } });
    expect(refusal(candidateOf({ choices }), "1")).toBe("no_plan");
  });

  it("foresees that the tool ends", () => {
    const candidate = candidateOf({ endsTool: [2] });
    expect(planned(candidate, replyTo(candidate, "2")).endsTool).toBe(true);
    expect(planned(candidate, replyTo(candidate, "1")).endsTool).toBe(false);
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
    expect(steps.map(({ requires }) => requires)).toEqual([
      { identity: "same", highlighted: 2 },
      { identity: "same", highlighted: 3 },
      { identity: "same", highlighted: 4 },
    ]);
  });

  it("speaks as the screen asked (DECCKM)", () => {
    const view = viewOf([], { modes: { applicationCursorKeys: true } });
    expect(keysFor(arrowList(2, 1), "2", undefined, view)).toEqual(["\u001bOB", "\r"]);
  });

  it("goes left and right where the choices stand side by side", () => {
    const choices = choicesOf(
      { label: "Allow once", answer: ARROWS, firstRow: 4 },
      { label: "Allow always", answer: ARROWS, firstRow: 4 },
      { label: "Reject", answer: ARROWS, firstRow: 4 },
    );
    expect(keysFor(candidateOf({ choices }), "3")).toEqual([RIGHT, RIGHT, "\r"]);
    expect(keysFor(candidateOf({ choices, highlighted: 2 }), "1")).toEqual([LEFT, "\r"]);
  });

  it("goes up to the next choice of a list that is drawn from the bottom", () => {
    const choices = choicesOf(
      { label: "a", answer: ARROWS, firstRow: 9 },
      { label: "b", answer: ARROWS, firstRow: 8 },
    );
    expect(keysFor(candidateOf({ choices }), "2")).toEqual([UP, "\r"]);
  });

  it("is not guessed without a highlight, or in a grid", () => {
    expect(refusal(arrowList(3, null), "2")).toBe("no_plan");
    const grid = [1, 1, 2, 2].map((firstRow) => ({ label: "cell", answer: ARROWS, firstRow }));
    expect(refusal(candidateOf({ choices: choicesOf(...grid) }), "4")).toBe("no_plan");
  });
});

describe("yes and no", () => {
  const yesNo = (parts: Partial<Candidate> = {}): Candidate => {
    const choices = choicesOf(
      { label: "Yes", intent: "allow_once", answer: { by: "line", text: "y" } },
      { label: "No", intent: "reject_once", answer: { by: "line", text: "n" } },
    );
    return candidateOf({ promptType: "yes_no", shape: "inline", choices, highlighted: 2, ...parts });
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
    const choices = choicesOf(
      { label: "No, exit", intent: "reject_once", answer: ARROWS },
      { label: "Yes, I trust this folder", intent: "allow_once", answer: ARROWS },
    );
    expect(refusal(yesNo({ choices }), "y")).toBe("no_plan");
    expect(refusal(yesNo({ choices }), "n")).toBe("no_plan");
  });

  it("takes no other word", () => {
    expect(refusal(yesNo(), "ok")).toBe("option_unknown");
    expect(refusal(yesNo({ highlighted: null }), "")).toBe("no_default");
  });
});

describe("a check list", () => {
  const rows = (checked: boolean[], parts: object = {}): ReturnType<typeof choicesOf> =>
    choicesOf(...checked.map((on, i) => ({ label: `row ${i + 1}`, checked: on, ...parts })));
  const list = (checked: boolean[], parts: Partial<Candidate> = {}): Candidate =>
    candidateOf({
      shape: "check_list",
      constraints: { multi: true },
      choices: rows(checked),
      checkList: { submit: [{ key: "\t", leadsTo: "review" }, { key: "1" }] },
      ...parts,
    });

  it("touches only the rows that differ, then submits as declared", () => {
    expect(keysFor(list([false, true, true]), "1,3")).toEqual(["1", "2", "\t", "1"]);
    expect(keysFor(list([true, false]), "1")).toEqual(["\t", "1"]);
    expect(keysFor(list([true, false]), "")).toEqual(["1", "\t", "1"]);
  });

  it("asks for every tick as wanted before it submits, and for the review page before its key", () => {
    const candidate = list([false, true, true]);
    const { steps } = planned(candidate, replyTo(candidate, "1,3"));
    expect(steps.map(({ requires }) => requires)).toEqual([
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
    const undeclared = candidateOf({ constraints: { multi: true }, choices: rows([false]) });
    expect(refusal(undeclared, "1")).toBe("no_plan");
    const choices = choicesOf({ label: "Type something." });
    expect(refusal(list([], { choices }), "1")).toBe("no_plan");
  });
});

describe("free text", () => {
  const line = candidateOf({ promptType: "free_text", choices: [], highlighted: null, textEntry: "line" });
  const box = candidateOf({
    promptType: "free_text",
    choices: [],
    highlighted: null,
    textEntry: "paste",
    constraints: { maxLength: 4000, multiline: true },
  });

  it("goes on a line in one write", () => {
    expect(keysFor(line, "my text")).toEqual(["my text\r"]);
    expect(keysFor({ ...line, constraints: { allowEmpty: true } }, "")).toEqual(["\r"]);
  });

  it("goes into a box as a paste, and Enter alone once it is seen there", () => {
    const { steps, effect } = planned(box, replyTo(box, "two\nlines"), viewOf([], PASTE));
    expect(steps).toEqual([
      { keys: "\u001b[200~two\nlines\u001b[201~", requires: { identity: "same" } },
      { keys: "\r", requires: { identity: "same_but_text", echo: "two\nlines" } },
    ]);
    expect(effect).toEqual({ kind: "field_empties", text: "two\nlines" });
  });

  it("goes into a box without paste marks when the mode is off, but then only one line without tabs", () => {
    expect(keysFor(box, "one line")).toEqual(["one line", "\r"]);
    expect(refusal(box, "two\nlines")).toBe("several_lines");
    expect(refusal(box, "a\tb")).toBe("control_characters");
  });

  it("is refused when a line discipline would lose its Enter", () => {
    const candidate = { ...line, constraints: { maxLength: 4000 } };
    expect(refusal(candidate, "é".repeat(LINE_BYTES_MAX / 2))).toBe("too_long");
  });

  it.each(["\u001b[201~\r", "a\rb", "\u0003", "\u009b1m"])("never holds control characters: %j", (text) => {
    expect(["control_characters", "several_lines"]).toContain(
      refusal(box, text, undefined, viewOf([], PASTE)),
    );
  });

  it("is not typed when it is blank or for a secret", () => {
    expect(refusal(box, "  ", undefined, viewOf([], PASTE))).toBe("empty");
    expect(refusal(candidateOf({ promptType: "secret", choices: [] }), "x")).toBe("secret");
  });
});

describe("the text of a choice", () => {
  const question = (parts: Partial<Candidate> = {}): Candidate =>
    candidateOf({
      choices: choicesOf(
        { label: "PostgreSQL" },
        { label: "SQLite" },
        { label: "Type something.", takesText: "required" },
      ),
      ...parts,
    });

  it("goes in after the row's key opened its field", () => {
    const candidate = question();
    const { steps } = planned(candidate, replyTo(candidate, "3", "MariaDB"), viewOf([], PASTE));
    expect(steps).toEqual([
      { keys: "3", requires: { identity: "same" } },
      {
        keys: "\u001b[200~MariaDB\u001b[201~",
        requires: { identity: "same_but_text", highlighted: 3, opened: 3 },
      },
      { keys: "\r", requires: { identity: "same_but_text", highlighted: 3, echo: "MariaDB" } },
    ]);
  });

  it("goes in at once when the row is highlighted: its key would be text by now", () => {
    expect(keysFor(question({ highlighted: 3 }), "3", "x y", viewOf([], PASTE))[0]).toContain("x y");
  });

  it("of a choice that could be taken without any is opened with arrows and its own key", () => {
    const choices = choicesOf(
      { label: "Yes", intent: "allow_once" },
      { label: "No", intent: "reject_once", takesText: "optional", textKeys: ["\t"] },
    );
    const candidate = candidateOf({ choices });
    expect(keysFor(candidate, "2")).toEqual(["2"]);
    expect(keysFor(candidate, "2", "use another file")).toEqual([DOWN, "\t", "use another file", "\r"]);
  });

  it("is refused where none is taken, and asked for where it is required", () => {
    expect(refusal(question(), "1", "but quickly")).toBe("text_not_taken");
    expect(refusal(question(), "3")).toBe("text_required");
  });
});

describe("other prompts", () => {
  const enter = candidateOf({ promptType: "confirm_enter", choices: [], highlighted: null });
  const unread = candidateOf({ promptType: "unknown", choices: [], highlighted: null });

  it("are confirmed with one carriage return", () => {
    expect(keysFor(enter, "enter")).toEqual(["\r"]);
    expect(keysFor(enter, "\n")).toEqual(["\r"]);
  });

  it("take Enter, Esc or text when unread", () => {
    expect(keysFor(unread, "enter")).toEqual(["\r"]);
    expect(keysFor(unread, "esc")).toEqual(["\u001b"]);
    expect(keysFor(unread, "text:hello")).toEqual(["hello\r"]);
    expect(keysFor(unread, "text:hello", undefined, viewOf([], PASTE))).toHaveLength(2);
    expect(refusal(unread, "hello")).toBe("option_unknown");
  });

  it("take an escape string only if it is a key that the adapter declared", () => {
    const choices = choicesOf({ label: "Back", answer: { by: "key", key: "\u001b" } });
    const candidate = candidateOf({ choices });
    const keys = (value: string): unknown => {
      const plan = planAnswer(candidate, viewOf([]), replyTo(candidate, value, undefined, "replace"));
      return isPlan(plan) ? plan.steps.map((step) => step.keys) : plan.code;
    };
    expect(keys("\\x1b")).toEqual(["\u001b"]);
    expect(keys("\\x03")).toBe("option_unknown");
    expect(keys("\\u0100")).toBe("option_unknown");
  });

  it("follow adapter code key by key, and only whole keys", () => {
    const plan = planOfKeys(["\t", "\r"], true);
    expect(isPlan(plan) && plan.steps.map(({ requires }) => requires.identity)).toEqual(["same", "same"]);
    expect(isPlan(planOfKeys([], false))).toBe(false);
    expect(isPlan(planOfKeys(["1\r"], false))).toBe(false);
  });
});
