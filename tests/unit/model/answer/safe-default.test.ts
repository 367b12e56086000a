/** The answer `default` says no or is refused, whatever choice the tool highlights. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  CHOICE_INTENTS,
  PROMPT_TYPES,
  SAFETY_CLASSES,
  type Choice,
  type PromptEvent,
} from "../../../../src/model/prompt.js";
import { findSafeDefault } from "../../../../src/model/answer/safe-default.js";
import { promptEvent } from "../../../support/prompts.js";

const YES: Choice = { label: "Yes", intent: "allow_once" };
const NO: Choice = { label: "No", intent: "reject_once" };
const NO_AND_STOP: Choice = { label: "No, and stop the turn", intent: "reject_once" };
const NEVER: Choice = { label: "Never", intent: "reject_always" };
const OTHER: Choice = { label: "Blue", intent: "other" };
const TELL: Choice = { ...NO, takesText: "required" };
const FIELD = { name: "a", question: "Why?", options: [] };

const valueFor = (over: Partial<PromptEvent>): string | null => {
  const found = findSafeDefault(promptEvent(over));
  return found.ok ? found.value : null;
};

describe("the safe default", () => {
  it.each<[string, Partial<PromptEvent>, string | null]>([
    ["of [Y/n] is no", { promptType: "yes_no", choices: [YES, NO], defaultChoice: 1 }, "n"],
    ["of [y/N] is no", { promptType: "yes_no", choices: [YES, NO], defaultChoice: 2 }, "n"],
    ["of a bare yes or no is no", { promptType: "yes_no", choices: [], defaultChoice: null }, "n"],
    ["is none where the second answer approves", { promptType: "yes_no", choices: [NO, YES] }, null],
    ["of a list is the row that rejects", { choices: [YES, NO], defaultChoice: 1 }, "2"],
    ["is that row wherever it stands", { choices: [NO, YES], defaultChoice: 2 }, "1"],
    ["is none where two rows reject", { choices: [YES, NO, NO] }, null],
    ["is the plain No beside one that stops the turn, too", { choices: [YES, NO, NO_AND_STOP] }, "2"],
    ["is none where each No does something else, too", { choices: [YES, NO_AND_STOP, NO_AND_STOP] }, null],
    ["is none where no row only rejects once", { choices: [YES, NEVER] }, null],
    ["is none among colours", { choices: [OTHER, OTHER], defaultChoice: 1, safetyClass: "question" }, null],
    ["is none where a refusal needs words", { choices: [YES, TELL] }, null],
    ["is none for a check list", { choices: [OTHER], constraints: { multi: true } }, null],
    [
      "declines a check list that can be declined",
      { choices: [OTHER], constraints: { multi: true, declinable: true } },
      "decline",
    ],
    [
      "is none where only Enter is waited for: it may erase a disk",
      { promptType: "confirm_enter", choices: [], safetyClass: "question" },
      null,
    ],
    [
      "is none where the only button says yes",
      { promptType: "confirm_enter", choices: [YES], safetyClass: "question" },
      null,
    ],
    [
      "is none where the tool proposes a text",
      { promptType: "free_text", choices: [], safetyClass: "question", constraints: { allowEmpty: true } },
      null,
    ],
    [
      "of a text without one is none",
      { promptType: "free_text", choices: [], safetyClass: "question" },
      null,
    ],
    [
      "of a form is none",
      {
        promptType: "free_text",
        choices: [],
        safetyClass: "question",
        constraints: { form: [FIELD], allowEmpty: true },
      },
      null,
    ],
    [
      "declines a form that can be declined",
      { promptType: "free_text", choices: [], constraints: { form: [FIELD], declinable: true } },
      "decline",
    ],
    ["of a secret is none", { promptType: "secret", choices: [] }, null],
    ["of an unread screen is none", { promptType: "unknown", choices: [] }, null],
  ])("%s", (_, over, value) => {
    expect(valueFor(over)).toBe(value);
  });

  it("never approves, whatever is asked and whatever is highlighted", () => {
    const choice = fc.record(
      {
        label: fc.constantFrom("Yes", "No", "Don't ask again", "1"),
        intent: fc.constantFrom(...CHOICE_INTENTS),
        takesText: fc.constantFrom("optional" as const, "required" as const),
      },
      { requiredKeys: ["label", "intent"] },
    );
    const asked = fc.record({
      promptType: fc.constantFrom(...PROMPT_TYPES),
      safetyClass: fc.constantFrom(...SAFETY_CLASSES),
      choices: fc.array(choice, { maxLength: 5 }),
      constraints: fc.record(
        { multi: fc.boolean(), allowEmpty: fc.boolean(), declinable: fc.boolean(), stoppable: fc.boolean() },
        { requiredKeys: [] },
      ),
    });
    fc.assert(
      fc.property(asked, fc.option(fc.integer({ min: 1, max: 5 })), (over, defaultChoice) => {
        const value = valueFor({ ...over, defaultChoice });
        const at = value === "n" ? 2 : value === "y" ? 1 : Number(value);
        const intent = over.choices[at - 1]?.intent ?? "other";
        expect(value).not.toBe("y");
        expect(intent).not.toMatch(/^allow/);
        expect(value).not.toBe("enter");
        expect(value).not.toBe("");
      }),
      { numRuns: 2_000 },
    );
  });
});
