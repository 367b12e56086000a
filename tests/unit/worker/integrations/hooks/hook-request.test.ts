/** A permission hook is answered in its own form, and its choices have letters where the dialog beside it has other rows. */
import { describe, expect, it } from "vitest";
import { createHookRequest } from "../../../../../src/worker/integrations/hooks/hook-request.js";
import { call } from "../../prompts/recorded-dialogs.js";

const QUESTION = { question: "Which one?", options: [{ label: "A" }, { label: "B" }], multiSelect: false };

describe("a permission hook as a request", () => {
  it("answers in the hook's own words", () => {
    const request = createHookRequest(call("Bash", { command: "ls" }));
    const { choices } = request.prompt;
    const no = choices.findIndex(({ intent }) => intent === "reject_once") + 1;
    const output = (decision: object) => ({
      result: { hookSpecificOutput: { hookEventName: "PermissionRequest", decision } },
    });
    expect(request.answer({ value: "1" })).toMatchObject(output({ behavior: "allow" }));
    expect(request.answer({ value: String(no), text: "not now" })).toEqual(
      output({ behavior: "deny", message: "not now" }),
    );
    expect(request.answer({ value: "9" })).toMatchObject({ code: "option_unknown" });
    expect(request.source).toEqual({ kind: "hook", name: "PermissionRequest" });
  });

  it("has letters where the dialog beside it has rows of its own, and none where its options are the dialog's", () => {
    expect(createHookRequest(call("Bash", { command: "ls" })).prompt.constraints.lettered).toBe(true);
    const question = createHookRequest(call("AskUserQuestion", { questions: [QUESTION] })).prompt;
    expect(question.promptType).toBe("multiple_choice");
    expect(question.constraints.lettered).toBeUndefined();
  });
});
