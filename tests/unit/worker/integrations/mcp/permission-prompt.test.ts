/** `permission_prompt` shows the whole call and answers in its program's form. A call that cannot be shown whole is refused. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { compileAdapter } from "../../../../../src/worker/adapter-format/compiled/compile-rules.js";
import { createPermissionPromptRequest } from "../../../../../src/worker/integrations/mcp/permission-prompt.js";

const { hooks } = compileAdapter(readFileSync("adapters/claude.yaml", "utf8"), "claude.yaml");

function asking(tool_name: string, input: Readonly<Record<string, unknown>>, rules = hooks) {
  const made = createPermissionPromptRequest({ tool_name, input }, rules, "/proj");
  if (!made) throw new Error("it cannot be shown");
  return made;
}

describe("a permission that an agent's program asks for", () => {
  const input = { command: "make", description: "Build" };

  it("is shown whole, also of an unknown tool", () => {
    for (const rules of [hooks, null]) {
      const { prompt: question } = asking("Bash", input, rules);
      expect(question).toMatchObject({ safetyClass: "permission", promptType: "multiple_choice" });
      expect(question.content.text).toContain("make");
      expect(question.content.call).toEqual({ tool: "Bash", input, cwd: "/proj" });
    }
  });

  it("is answered with its input on a Yes and with a reason on a No, and ends no turn", () => {
    const { answer } = asking("Bash", input);
    expect(answer({ value: "1" })).toEqual({ result: { behavior: "allow", updatedInput: input } });
    expect(answer({ value: "2", text: "later" })).toEqual({ result: { behavior: "deny", message: "later" } });
    expect(answer({ value: "2" })).toEqual({ result: { behavior: "deny", message: "The user said no." } });
    expect(answer({ value: "3" })).toMatchObject({ code: "option_unknown" });
  });

  it("is a question where the call is one, and its answer stands in the input", () => {
    const questions = [{ question: "Which?", header: "H", options: [{ label: "a" }, { label: "b" }] }];
    const { prompt: question, answer } = asking("AskUserQuestion", { questions });
    expect(question).toMatchObject({ safetyClass: "question", question: "Which?" });
    expect(answer({ value: "2" })).toEqual({
      result: { behavior: "allow", updatedInput: { questions, answers: { "Which?": "b" } } },
    });
  });

  it("is not asked where it cannot be shown whole", () => {
    expect(createPermissionPromptRequest({ tool_name: "AskUserQuestion", input: {} }, hooks, "/")).toBeNull();
  });
});
