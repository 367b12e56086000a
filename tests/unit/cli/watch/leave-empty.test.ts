/** To answer a question for a text with no text has one name, in `watch`, on the card's button and in what is told afterwards. */
import { expect, it } from "vitest";
import { buildRows } from "../../../../src/cli/watch/answers.js";
import { planButtons } from "../../../../src/hub/delivery/notices/buttons.js";
import { promptEvent } from "../../../support/prompts.js";
import { watchedPrompt } from "./scenes.js";

it("is called the same everywhere, and not as the key that does it", () => {
  const constraints = { allowEmpty: true };
  const event = promptEvent({ promptType: "free_text", choices: [], constraints });
  const prompt = watchedPrompt({ type: "free_text", details: { constraints, choices: [] } });
  // The outcome on the card and the list of recent answers in `watch` take the label of the button.
  expect(planButtons(event)).toEqual([{ value: "", choice: { label: "Leave empty", intent: "other" } }]);
  expect(buildRows(prompt).find(({ value, text }) => value === "" && text === undefined)?.label).toBe(
    "Leave empty",
  );
});

it("leaves Press Enter to questions that only Enter answers", () => {
  const event = promptEvent({ promptType: "confirm_enter", choices: [] });
  expect(planButtons(event)[0]?.choice.label).toBe("Press Enter");
  expect(
    buildRows(watchedPrompt({ type: "confirm_enter", details: { constraints: {}, choices: [] } })),
  ).toEqual([{ label: "Press Enter", value: "enter", digit: "1" }]);
});
