/** A legal value of an answer has one normal form, and any other value is refused with its reason. */
import { describe, expect, it } from "vitest";
import type { PromptEvent } from "../../../../src/model/prompt.js";
import { AGENT_TEXT_MAX, DEFAULT_TEXT_MAX, parseLegalValue } from "../../../../src/model/answer/reply.js";
import type { RefusalCode } from "../../../../src/model/answer/refusal.js";
import { promptEvent } from "../../../support/prompts.js";

const of = (over: Partial<PromptEvent>): PromptEvent => promptEvent(over);
const YES_NO = of({ promptType: "yes_no", choices: [], defaultChoice: null });
const YES_NO_Y = of({ promptType: "yes_no", choices: [], defaultChoice: 1 });
const MENU = of({ promptType: "multiple_choice", defaultChoice: null });
const HIGHLIGHTED = of({ promptType: "multiple_choice", defaultChoice: 1 });
const CHECK = of({ promptType: "multiple_choice", constraints: { multi: true } });
const ENTER = of({ promptType: "confirm_enter", choices: [] });
const TEXT = of({ promptType: "free_text", choices: [], defaultChoice: null, constraints: {} });
const OPTIONAL = of({ promptType: "free_text", choices: [], constraints: { allowEmpty: true } });
const LINES = of({ promptType: "free_text", choices: [], constraints: { multiline: true } });
const SECRET = of({ promptType: "secret", choices: [] });
const UNKNOWN = of({ promptType: "unknown", choices: [] });
const KEYS = of({
  promptType: "unknown",
  choices: [],
  constraints: { keys: [{ key: "down" }, { key: "2" }] },
});

describe("a legal value has one normal form", () => {
  it.each<[PromptEvent, string, string]>([
    [YES_NO, "Yes", "y"],
    [YES_NO, "n", "n"],
    [YES_NO, "1", "y"],
    [MENU, " 2 ", "2"],
    [CHECK, "2, 1,2", "1,2"],
    [CHECK, "", ""],
    [ENTER, "\n", "enter"],
    [TEXT, "as it is ", "as it is "],
    [TEXT, "🦀".repeat(DEFAULT_TEXT_MAX), "🦀".repeat(DEFAULT_TEXT_MAX)],
    [OPTIONAL, "", ""],
    [LINES, "one\ntwo", "one\ntwo"],
    [UNKNOWN, "esc", "esc"],
    [UNKNOWN, "text:ls", "text:ls"],
    [UNKNOWN, "4", "text:4"],
    [UNKNOWN, "text:down", "text:down"],
    [KEYS, "text:ls", "text:ls"],
    [KEYS, "down", "down"],
    [KEYS, "2", "2"],
  ])("%#: %j", (question, value, normal) => {
    expect(parseLegalValue(question, value)).toEqual({ ok: true, value: normal });
  });
});

describe("an illegal value is refused with its reason", () => {
  it.each<[PromptEvent, string, RefusalCode]>([
    [YES_NO, "ok", "option_unknown"],
    [YES_NO, "", "option_unknown"],
    [YES_NO_Y, "", "option_unknown"],
    [YES_NO_Y, "enter", "option_unknown"],
    [YES_NO_Y, "default", "option_unknown"],
    [ENTER, "default", "option_unknown"],
    [HIGHLIGHTED, "default", "option_unknown"],
    [HIGHLIGHTED, "", "option_unknown"],
    [HIGHLIGHTED, "enter", "option_unknown"],
    [MENU, "0", "option_unknown"],
    [MENU, "99", "option_unknown"],
    [MENU, "Yes", "option_unknown"],
    [MENU, "default", "option_unknown"],
    [CHECK, "1,9", "option_unknown"],
    [ENTER, "yes", "option_unknown"],
    [TEXT, "", "empty"],
    [TEXT, "x".repeat(DEFAULT_TEXT_MAX + 1), "too_long"],
    [TEXT, "one\ntwo", "several_lines"],
    [TEXT, "one\rtwo", "several_lines"],
    [TEXT, "one\u2028two", "several_lines"],
    [LINES, "one\rtwo", "control_characters"],
    [TEXT, "esc \u001b[A", "control_characters"],
    [TEXT, "end \u0003", "control_characters"],
    [TEXT, "c1 \u009b31m", "control_characters"],
    [TEXT, "rm \u202egnp.exe", "control_characters"],
    [TEXT, "a\u2066b", "control_characters"],
    [SECRET, "hunter2", "secret"],
    [UNKNOWN, "a\nb", "several_lines"],
    [KEYS, "ls", "option_unknown"],
    [UNKNOWN, "down", "option_unknown"],
    [KEYS, "up", "option_unknown"],
    [UNKNOWN, "text:a\nb", "several_lines"],
  ])("%#: %j", (question, value, code) => {
    const found = parseLegalValue(question, value);
    expect(found.ok ? "legal" : found.rejection.code).toBe(code);
  });
});

describe("words beside a choice", () => {
  const choices = [
    MENU.choices[0]!,
    { ...MENU.choices[0]!, takesText: "optional" as const },
    { ...MENU.choices[0]!, takesText: "required" as const },
  ];
  const question = of({ promptType: "multiple_choice", choices });

  it.each<[string, string | undefined, RefusalCode | "legal"]>([
    ["1", undefined, "legal"],
    ["1", "because", "text_not_taken"],
    ["2", undefined, "legal"],
    ["2", "because\nof this", "legal"],
    ["3", undefined, "text_required"],
    ["3", "", "text_required"],
    ["3", "x".repeat(AGENT_TEXT_MAX + 1), "too_long"],
    ["3", "\u001b[201~", "control_characters"],
  ])("row %s with %j", (value, text, code) => {
    const found = parseLegalValue(question, value, text);
    expect(found.ok ? "legal" : found.rejection.code).toBe(code);
  });
});
