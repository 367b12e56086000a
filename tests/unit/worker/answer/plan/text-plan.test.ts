/**
 * The plan for free text is one line or a marked paste that is seen before Enter, and holds no control characters. Other prompts
 * take only declared keys.
 */
import { describe, expect, it } from "vitest";
import type { Candidate } from "../../../../../src/sdk/candidate.js";
import { planAnswer } from "../../../../../src/worker/answer/plan/plan.js";
import { isPlan } from "../../../../../src/worker/answer/plan/plan-steps.js";
import { LINE_BYTES_MAX } from "../../../../../src/worker/answer/plan/text-plan.js";
import { makeCandidate, makeChoices, replyTo, makeView } from "../make.js";
import { keysFor, planned, refusal } from "./planned.js";

const DOWN = "\u001b[B";
const PASTE = { modes: { bracketedPaste: true } } as const;

describe("free text", () => {
  const line = makeCandidate({ promptType: "free_text", choices: [], highlighted: null, textEntry: "line" });
  const box = makeCandidate({
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
    const { steps, effect } = planned(box, replyTo(box, "two\nlines"), makeView([], PASTE));
    expect(steps).toEqual([
      { keys: "\u001b[200~two\nlines\u001b[201~", expects: { identity: "same" } },
      { keys: "\r", expects: { identity: "same_but_text", echo: "two\nlines" } },
    ]);
    expect(effect).toEqual({ kind: "field_empties" });
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
      refusal(box, text, undefined, makeView([], PASTE)),
    );
  });

  it("is not typed into a field that holds text and has no key that empties it", () => {
    const field = { ...line, textEntry: "typed" as const, field: { text: "suggested" } };
    expect(refusal(field, "my text")).toBe("field_not_empty");
    expect(keysFor({ ...field, field: { text: "suggested", clear: "\u0015" } }, "my text")).toHaveLength(3);
  });

  it("is not typed when it is blank or for a secret", () => {
    expect(refusal(box, "  ", undefined, makeView([], PASTE))).toBe("empty");
    expect(refusal(makeCandidate({ promptType: "secret", choices: [] }), "x")).toBe("secret");
  });
});

describe("the text of a choice", () => {
  const question = (parts: Partial<Candidate> = {}): Candidate =>
    makeCandidate({
      choices: makeChoices(
        { label: "PostgreSQL" },
        { label: "SQLite" },
        { label: "Type something.", takesText: "required" },
      ),
      ...parts,
    });

  it("goes in after the row's key opened its field", () => {
    const candidate = question();
    const { steps } = planned(candidate, replyTo(candidate, "3", "MariaDB"), makeView([], PASTE));
    expect(steps).toEqual([
      { keys: "3", expects: { identity: "same" } },
      {
        keys: "\u001b[200~MariaDB\u001b[201~",
        expects: { identity: "same_but_text", highlighted: 3, opened: 3 },
      },
      { keys: "\r", expects: { identity: "same_but_text", highlighted: 3, echo: "MariaDB" } },
    ]);
  });

  it("goes in at once when the row is highlighted: its key would be text by now", () => {
    expect(keysFor(question({ highlighted: 3 }), "3", "x y", makeView([], PASTE))[0]).toContain("x y");
  });

  it("of a choice that could be taken without any is opened with arrows and its own key", () => {
    const choices = makeChoices(
      { label: "Yes", intent: "allow_once" },
      { label: "No", intent: "reject_once", takesText: "optional", textKeys: ["\t"] },
    );
    const candidate = makeCandidate({ choices });
    expect(keysFor(candidate, "2")).toEqual(["2"]);
    expect(keysFor(candidate, "2", "use another file")).toEqual([DOWN, "\t", "use another file", "\r"]);
  });

  it("is refused where none is taken, and asked for where it is required", () => {
    expect(refusal(question(), "1", "but quickly")).toBe("text_not_taken");
    expect(refusal(question(), "3")).toBe("text_required");
  });
});

describe("other prompts", () => {
  const enter = makeCandidate({ promptType: "confirm_enter", choices: [], highlighted: null });
  const unread = makeCandidate({ promptType: "unknown", choices: [], highlighted: null });

  it("are confirmed with one carriage return", () => {
    expect(keysFor(enter, "enter")).toEqual(["\r"]);
    expect(keysFor(enter, "\n")).toEqual(["\r"]);
  });

  it("take Enter, Esc or text when unread", () => {
    expect(keysFor(unread, "enter")).toEqual(["\r"]);
    expect(keysFor(unread, "esc")).toEqual(["\u001b"]);
    expect(keysFor(unread, "text:hello")).toEqual(["hello\r"]);
    expect(keysFor(unread, "text:hello", undefined, makeView([], PASTE))).toHaveLength(2);
    expect(keysFor(unread, "hello")).toEqual(["hello\r"]);
    expect(keysFor(unread, "4")).toEqual(["4\r"]);
    // Its Enter would choose what is marked on a screen.
    expect(refusal({ ...unread, constraints: { keys: [{ key: "down" }] } }, "no")).toBe("option_unknown");
  });

  it("take an escape string only if it is a key that the adapter declared", () => {
    const choices = makeChoices({ label: "Back", answer: { by: "key", key: "\u001b" } });
    const candidate = makeCandidate({ choices });
    const keys = (value: string): unknown => {
      const plan = planAnswer(candidate, makeView([]), replyTo(candidate, value, undefined, "replace"));
      return isPlan(plan) ? plan.steps.map((step) => step.keys) : plan.code;
    };
    expect(keys("\\x1b")).toEqual(["\u001b"]);
    expect(keys("\\x03")).toBe("option_unknown");
    expect(keys("\\u0100")).toBe("option_unknown");
  });
});
