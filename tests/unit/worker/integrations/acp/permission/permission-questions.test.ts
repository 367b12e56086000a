/**
 * Questions that an agent asks by a request for permission are raised as questions, are answered by no mode, and each answer goes
 * to its place.
 */
import { describe, expect, it } from "vitest";
import {
  readPermissionRequest,
  selectOption,
} from "../../../../../../src/worker/integrations/acp/permission/permission.js";
import { createQuestionsRequest } from "../../../../../../src/worker/integrations/acp/permission/permission-questions.js";

const SUBMIT = { optionId: "go", name: "Submit", kind: "allow_once" };
const CANCEL = { optionId: "no", name: "Cancel", kind: "reject_once" };
const colour = {
  header: "Colour",
  question: "Which colour?",
  options: [{ label: "red" }, { label: "blue" }],
};
const sizes = {
  header: "Sizes",
  question: "Which sizes?",
  multiSelect: true,
  options: [{ label: "S" }, { label: "L" }],
};

function asked(questions: unknown, options: readonly object[] = [SUBMIT, CANCEL]) {
  const request = readPermissionRequest(
    { options, toolCall: { toolCallId: "c", title: "Ask user" } },
    () => undefined,
  );
  return request && createQuestionsRequest(questions, request, "/w");
}

describe("questions that an agent asks by a request for permission", () => {
  it("are raised as questions, not as a permission, and hold all that is asked", () => {
    expect(asked([colour])?.prompt).toMatchObject({
      rule: "session/request_permission",
      safetyClass: "question",
      question: "Which colour?",
      promptType: "multiple_choice",
    });
    const labels = asked([colour])?.prompt.choices.map(({ label }) => label);
    expect(labels).toEqual(["red", "blue", "Something else", "Decline to answer"]);
  });

  it("are answered beside the choice that submits them, by their places", () => {
    expect(asked([colour])?.answer({ value: "2" })).toEqual({
      result: { ...selectOption({ optionId: "go" }), answers: { 0: "blue" } },
    });
    expect(asked([colour])?.answer({ value: "3", text: "green" })).toEqual({
      result: { ...selectOption({ optionId: "go" }), answers: { 0: "green" } },
    });
    const several = asked([colour, sizes])?.answer({ value: '{"Colour":"red","Sizes":["S","L"]}' });
    expect(several).toEqual({
      result: { ...selectOption({ optionId: "go" }), answers: { 0: "red", 1: "S, L" } },
    });
  });

  it("are declined by the agent's own No, which takes no reason", () => {
    const asking = asked([colour]);
    expect(asking?.prompt.choices.at(-1)).toEqual({ label: "Decline to answer", intent: "reject_once" });
    expect(asking?.answer({ value: "4" })).toEqual({ result: selectOption({ optionId: "no" }) });
    expect(asking?.refused).toEqual(selectOption({ optionId: "no" }));
    expect(asked([colour], [SUBMIT])?.refused).toEqual({ outcome: { outcome: "cancelled" } });
  });

  it("are not asked where they cannot be read whole, or where it is not clear what submits them", () => {
    expect(asked("colour?")).toBeNull();
    expect(asked([])).toBeNull();
    expect(asked([colour, { question: "Which?", options: [] }])).toBeNull();
    expect(asked([colour, colour])).toBeNull();
    expect(asked([colour], [SUBMIT, { ...SUBMIT, optionId: "go-and-more" }, CANCEL])).toBeNull();
    expect(asked([colour], [CANCEL])).toBeNull();
  });
});
