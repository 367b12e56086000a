/**
 * A text is an answer only when it is exactly a legal value of the prompt. Other words never become a choice, and "not ok" never
 * becomes yes.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isStrayNumber, NO_ANSWER, parseTypedAnswer } from "../../../../src/hub/prompts/answer-text.js";
import type { PromptEvent } from "../../../../src/model/prompt.js";
import { parseLegalValue } from "../../../../src/model/answer/reply.js";
import { promptEvent } from "../../../support/prompts.js";

const of = (over: Partial<PromptEvent>): PromptEvent => promptEvent(over);
const YES_NO = of({ promptType: "yes_no", choices: [] });
const MENU = of({});
const CHECK = of({ constraints: { multi: true } });
const ENTER = of({ promptType: "confirm_enter", choices: [] });
const UNKNOWN = of({ promptType: "unknown", choices: [] });
const KEYS = of({
  promptType: "unknown",
  choices: [],
  constraints: { keys: [{ key: "down" }, { key: "shift+tab" }, { key: "a", does: "allow" }] },
});
const TEXT = of({ promptType: "free_text", choices: [] });
const none = NO_ANSWER.value;

describe("a text as the answer to a card", () => {
  it.each([
    [YES_NO, "y", "y"],
    [YES_NO, " Yes ", "Yes"],
    [YES_NO, "NO", "NO"],
    [YES_NO, "not ok", none],
    [YES_NO, "yes please", none],
    [YES_NO, "1", none],
    [YES_NO, "", none],
    [YES_NO, "default", none],
    [MENU, "2", "2"],
    [MENU, " 2 ", "2"],
    [MENU, "two", none],
    [MENU, "2.", none],
    [MENU, "2 files are wrong", none],
    [MENU, "0", none],
    [MENU, "02", none],
    [MENU, "yes", none],
    [MENU, "default", none],
    [CHECK, "1,3", "1,3"],
    [CHECK, "1, 3", "1, 3"],
    [CHECK, "none", ""],
    [CHECK, "", none],
    [CHECK, "1 and 3", none],
    [ENTER, "Enter", "enter"],
    [ENTER, "ok", none],
    [ENTER, "", none],
    [UNKNOWN, "esc", "esc"],
    [UNKNOWN, "Enter", "enter"],
    [UNKNOWN, "text:hello", "text:hello"],
    [UNKNOWN, "hello", "hello"],
    [UNKNOWN, "down", "down"],
    [KEYS, "Down", "down"],
    [KEYS, "↓", "down"],
    [KEYS, "Backtab", "shift+tab"],
    [KEYS, "Escape", "esc"],
    [KEYS, "a", "a"],
    [KEYS, "A", "A"],
    [TEXT, "  as it is ", "  as it is "],
  ])("%#: %o, %j", (event, text, value) => {
    expect(parseTypedAnswer(event, text)).toEqual({ value });
  });

  it("takes the text of a choice only with its number and a colon", () => {
    expect(parseTypedAnswer(MENU, "3: use tabs\ninstead")).toEqual({ value: "3", text: "use tabs\ninstead" });
    expect(parseTypedAnswer(MENU, "3:")).toEqual(NO_ANSWER);
  });

  it("that stands for no answer is legal nowhere", () => {
    for (const event of [YES_NO, MENU, CHECK, ENTER, UNKNOWN, TEXT])
      expect(parseLegalValue(event, NO_ANSWER.value).ok).toBe(false);
  });

  it("never turns other words into an answer of a yes/no question or a menu", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const word = text.trim().toLowerCase();
        if (!["y", "n", "yes", "no"].includes(word))
          expect(parseTypedAnswer(YES_NO, text)).toEqual(NO_ANSWER);
        if (!/^[1-9]/.test(word)) expect(parseTypedAnswer(MENU, text)).toEqual(NO_ANSWER);
      }),
    );
  });
});

describe("a number for a text", () => {
  const TAKE = "Merge conflict:\n (l)ocal, (o)ther or (u)nresolved for a.txt?";

  it.each([
    [TAKE, "2", true],
    [TAKE, "l", false],
    ["Keep it? [keep/drop]:", "1", true],
    ["1: old\n2: new\nWhich do you want:", "3", true],
    ["1: old\n2: new\nWhich do you want:", "2", false],
    ["Port (of the server) [8080]:", "81", false],
    ["How many? ", "12", false],
  ])("may be meant as a choice: %j, %s", (text, value, isStray) => {
    expect(isStrayNumber({ ...TEXT, content: { text, cut: null } }, value)).toBe(isStray);
  });
});
