/** The answers of a card that are no rows of the dialog on the screen have letters, and a number is never taken for one of them. */
import { describe, expect, it } from "vitest";
import { findChoice, nameChoice } from "../../../../src/model/answer/choice-names.js";
import type { PromptEvent } from "../../../../src/model/prompt.js";
import {
  describeAnswers,
  describeHowToAnswer,
  NO_ANSWER,
  parseTypedAnswer,
} from "../../../../src/hub/prompts/answer-text.js";
import { formatButtonLabel, formatLetterHint } from "../../../../src/sdk/card-words.js";

const choices = [
  { label: "Yes", intent: "allow_once" },
  { label: "Yes, and accept edits without asking in this session", intent: "allow_always" },
  { label: "No", intent: "reject_once", takesText: "optional" },
] as const;
const event = (lettered: boolean): PromptEvent =>
  ({
    promptType: "multiple_choice",
    choices,
    constraints: { minChoice: 1, maxChoice: 3, ...(lettered && { lettered }) },
  }) as unknown as PromptEvent;
const OWN = event(true);

describe("the answers of a card that are no rows of the dialog on the screen", () => {
  it("are given by their letters, in either case, with or without words", () => {
    expect(parseTypedAnswer(OWN, "A")).toEqual({ value: "1" });
    expect(parseTypedAnswer(OWN, " c ")).toEqual({ value: "3" });
    expect(parseTypedAnswer(OWN, "C: use touch instead")).toEqual({ value: "3", text: "use touch instead" });
  });

  it.each(["1", "2", "3", "3: words", "D", "AB", "a b", "yes"])("are not given by %j", (said) => {
    expect(parseTypedAnswer(OWN, said)).toEqual(NO_ANSWER);
  });

  it("are listed by their letters, with the reason why a number is no answer", () => {
    expect(describeHowToAnswer(OWN)).toMatch(
      /letter .* Numbers would mean the rows of the dialog on the screen/,
    );
    expect(describeAnswers(OWN, (text) => text)).toContain("B: Yes, and accept edits");
    expect(formatLetterHint({ lettered: true, choices, acceptsText: true })).toBe(
      "🔤 The terminal numbers its choices differently: tap here, or reply A–C.",
    );
    expect(formatLetterHint({ lettered: true, choices })).toBe(
      "🔤 The terminal numbers its choices differently.",
    );
    expect(formatLetterHint({ choices })).toBeNull();
  });

  it("stand on their buttons with their letters", () => {
    const button = { token: "t" as never, choice: choices[1], value: "2" };
    expect(formatButtonLabel({ lettered: true }, button)).toMatch(/^B\. Yes, and accept edits/);
    expect(formatButtonLabel({}, button)).toMatch(/^2\. Yes, and accept edits/);
    expect(formatButtonLabel({ lettered: true }, { ...button, value: "stop" })).toMatch(/^Yes, and/);
  });
});

describe("the name of a choice", () => {
  it("is a number where the dialog on the screen has the same rows", () => {
    expect(parseTypedAnswer(event(false), "2")).toEqual({ value: "2" });
    expect(parseTypedAnswer(event(false), "B")).toEqual(NO_ANSWER);
  });

  it("is one name for one choice, however many there are", () => {
    for (const lettered of [true, false]) {
      const names = Array.from({ length: 60 }, (_, at) => nameChoice(lettered, at + 1));
      expect(new Set(names).size).toBe(60);
      for (const [at, name] of names.entries())
        expect(findChoice({ lettered, maxChoice: 60 }, name)).toBe(at + 1);
    }
  });
});
