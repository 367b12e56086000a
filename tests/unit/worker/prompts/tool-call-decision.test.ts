/** The decision on a tool call holds what the tool expects for each choice, reason and form. */
import { describe, expect, it } from "vitest";
import { parseLegalValue } from "../../../../src/model/answer/reply.js";
import { decideToolCall } from "../../../../src/worker/prompts/tool-call-decision.js";
import { readToolCall, type ToolCallRequest } from "../../../../src/worker/prompts/tool-call-request.js";
import { shippedAdapter } from "../detection/screens.js";

const { hooks } = shippedAdapter("claude");

function ask(tool: string, input: object, more: object = {}): ToolCallRequest {
  const asked =
    hooks && readToolCall(hooks, "PermissionRequest", { tool_name: tool, tool_input: input, ...more });
  if (!asked) throw new Error("nothing is asked");
  return asked;
}

/** The decision, as the tool reads it; or the code of the refusal. */
function decided(asked: ToolCallRequest, value: string, text?: string): unknown {
  const legal = parseLegalValue(asked, value, text);
  if (!legal.ok) return legal.rejection.code;
  const made = decideToolCall(asked, { value: legal.value, ...(text !== undefined && { text }) });
  return "behavior" in made ? made : made.code;
}

const suggestion = {
  type: "addRules",
  rules: [{ toolName: "Bash", ruleContent: "ls" }],
  behavior: "allow",
  destination: "session",
};
const bash = ask("Bash", { command: "ls" }, { permission_suggestions: [suggestion] });
const plan = ask("ExitPlanMode", { plan: "# Plan" });
const option = (label: string) => ({ label });
const one = {
  question: "Which one?",
  header: "One",
  multiSelect: false,
  options: [option("A"), option("B")],
};
const many = {
  question: "Which ones?",
  header: "Many",
  multiSelect: true,
  options: [option("C"), option("D")],
};
const single = ask("AskUserQuestion", { questions: [one] });
const multi = ask("AskUserQuestion", { questions: [many] });
const form = ask("AskUserQuestion", { questions: [one, many] });

describe("the decision on a tool call", () => {
  const cases: readonly [
    name: string,
    asked: ToolCallRequest,
    value: string,
    text: string | undefined,
    decision: unknown,
  ][] = [
    ["Yes, once: nothing is remembered", bash, "1", undefined, { behavior: "allow" }],
    [
      "Yes, always: exactly the suggestion",
      bash,
      "2",
      undefined,
      { behavior: "allow", updatedPermissions: [suggestion] },
    ],
    [
      "No: the turn stops, as with the dialog's own No",
      bash,
      "3",
      undefined,
      { behavior: "deny", message: "The user said no.", interrupt: true },
    ],
    [
      "No with a reason: the model hears it, and the turn goes on",
      bash,
      "3",
      "use touch",
      { behavior: "deny", message: "use touch" },
    ],
    [
      "a plan: approved with its own text",
      plan,
      "1",
      undefined,
      { behavior: "allow", updatedInput: { plan: "# Plan" } },
    ],
    [
      "a plan and another mode",
      plan,
      "2",
      undefined,
      {
        behavior: "allow",
        updatedInput: { plan: "# Plan" },
        updatedPermissions: [{ type: "setMode", mode: "acceptEdits", destination: "session" }],
      },
    ],
    ["a plan sent back", plan, "3", "shorter", { behavior: "deny", message: "shorter" }],
    [
      "an option",
      single,
      "2",
      undefined,
      { behavior: "allow", updatedInput: { questions: [one], answers: { "Which one?": "B" } } },
    ],
    [
      "own words",
      single,
      "3",
      "neither",
      { behavior: "allow", updatedInput: { questions: [one], answers: { "Which one?": "neither" } } },
    ],
    ["own words without words", single, "3", undefined, "text_required"],
    [
      "a question declined",
      single,
      "4",
      undefined,
      { behavior: "deny", message: "The user said no.", interrupt: true },
    ],
    [
      "several options",
      multi,
      "1,2",
      undefined,
      { behavior: "allow", updatedInput: { questions: [many], answers: { "Which ones?": "C, D" } } },
    ],
    [
      "none of several",
      multi,
      "",
      undefined,
      { behavior: "allow", updatedInput: { questions: [many], answers: { "Which ones?": "" } } },
    ],
    [
      "a check list declined",
      multi,
      "decline",
      undefined,
      { behavior: "deny", message: "The user said no.", interrupt: true },
    ],
    [
      "several questions",
      form,
      "mine\n2",
      undefined,
      {
        behavior: "allow",
        updatedInput: { questions: [one, many], answers: { "Which one?": "mine", "Which ones?": "D" } },
      },
    ],
    ["half of several questions", form, "1", undefined, "form_incomplete"],
    ["no such choice", bash, "4", undefined, "option_unknown"],
    ["a reason for a Yes", bash, "1", "because", "text_not_taken"],
  ];

  it.each(cases)("%s", (_, asked, value, text, decision) => {
    expect(decided(asked, value, text)).toEqual(decision);
  });

  it("answers a form whose labels were shown otherwise than the tool wrote them", () => {
    const secret = { ...one, options: [option("token ghp_abc"), option("B")] };
    const asked = ask("AskUserQuestion", { questions: [secret, many] });
    const shownForm = asked.constraints.form?.map((field) => ({
      ...field,
      options: field.options.map(({ label }) => ({ label: label.replace("ghp_abc", "[hidden]") })),
    }));
    const made = decideToolCall(asked, { value: '{"One":"token [hidden]","Many":[]}', shownForm });
    expect(JSON.stringify(made)).toContain('"Which one?":"token ghp_abc"');
  });
});
