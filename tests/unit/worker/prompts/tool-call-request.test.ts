/** The prompt of a permission hook shows the whole input of its call and offers only choices whose effect can be stated. */
import { describe, expect, it } from "vitest";
import { readToolCall, type ToolCallRequest } from "../../../../src/worker/prompts/tool-call-request.js";
import { shippedAdapter } from "../detection/screens.js";

const { hooks } = shippedAdapter("claude");

function ask(tool: string, input: unknown, more: object = {}): ToolCallRequest | null {
  return (
    hooks &&
    readToolCall(hooks, "PermissionRequest", { tool_name: tool, tool_input: input, cwd: "/proj", ...more })
  );
}

const rows = (asked: ToolCallRequest | null) =>
  asked?.choices.map(({ label, intent }) => `${intent}: ${label}`);

describe("the prompt of a permission hook", () => {
  it("shows the whole input, the command first", () => {
    const command = `set -e\n${"echo a long line\n".repeat(500)}rm -rf build`;
    const asked = ask("Bash", { command, description: "Clean", timeout: 5000 });
    expect(asked?.content.text).toBe(`${command}\ndescription: Clean\ntimeout: 5000`);
    expect(asked?.content.cut).toBeNull();
    expect(asked?.content.call).toEqual({
      tool: "Bash",
      input: { command, description: "Clean", timeout: 5000 },
      cwd: "/proj",
    });
    expect(asked).toMatchObject({ promptType: "multiple_choice", safetyClass: "permission", score: 1 });
  });

  it("shows an edit as what goes and what comes", () => {
    const asked = ask("Edit", { file_path: "/proj/a.py", old_string: "a\nb", new_string: "c" });
    expect(asked?.content.text).toBe("/proj/a.py\n-a\n-b\n+c");
  });

  it("shows a tool that nobody described, with every field", () => {
    const asked = ask("mcp__ops__deploy", { target: "production", options: { dry: false }, note: "a\nb" });
    expect(asked?.question).toBe("Allow mcp__ops__deploy?");
    expect(asked?.content.text).toBe('target: production\noptions:\n{\n  "dry": false\n}\nnote:\na\nb');
  });

  it("shows a value that is nested deep or long whole, and no larger than it came", () => {
    let nested: unknown = Array.from({ length: 20_000 }, (_, number) => number);
    for (let depth = 0; depth < 300; depth++) nested = [nested];
    for (const value of [nested, Array.from({ length: 20_000 }, () => [1])])
      expect(ask("mcp__ops__deploy", { value })?.content.text).toBe(`value: ${JSON.stringify(value)}`);
  });

  it("offers Yes, what the tool suggests with what it truly does, and a No that takes a reason", () => {
    const asked = ask(
      "Bash",
      { command: "npm test" },
      {
        permission_suggestions: [
          {
            type: "addRules",
            rules: [{ toolName: "Bash", ruleContent: "npm test:*" }, { toolName: "Read" }],
            behavior: "allow",
            destination: "localSettings",
          },
          { type: "addDirectories", directories: ["/srv/data"], destination: "session" },
          { type: "setMode", mode: "acceptEdits", destination: "session" },
          { type: "setMode", mode: "tomorrow", destination: "userSettings" },
        ],
      },
    );
    expect(rows(asked)).toEqual([
      "allow_once: Yes",
      "allow_always: Yes, and don't ask again for Bash(npm test:*), Read in this project",
      "allow_always: Yes, and always allow access to /srv/data in this session",
      "allow_always: Yes, and accept edits without asking in this session",
      'allow_always: Yes, and switch to the mode "tomorrow" in all projects',
      "reject_once: No",
    ]);
    expect(asked?.choices.at(-1)?.takesText).toBe("optional");
  });

  it.each([
    [
      "a rule that denies",
      { type: "addRules", rules: [{ toolName: "Bash" }], behavior: "deny", destination: "session" },
    ],
    ["a place nobody knows", { type: "addDirectories", directories: ["/"], destination: "everywhere" }],
    ["a kind nobody knows", { type: "removeRules", rules: [{ toolName: "Bash" }], destination: "session" }],
    ["a rule without a name", { type: "addRules", rules: [{}], behavior: "allow", destination: "session" }],
    ["no rules", { type: "addRules", rules: [], behavior: "allow", destination: "session" }],
    ["no suggestion at all", "yes"],
  ])("does not offer %s, as its effect could not be stated", (_, suggestion) => {
    const asked = ask("Bash", { command: "ls" }, { permission_suggestions: [suggestion] });
    expect(rows(asked)).toEqual(["allow_once: Yes", "reject_once: No"]);
  });

  it("asks for a plan with the choices that its adapter declares", () => {
    const asked = ask("ExitPlanMode", { plan: "# Plan", planFilePath: "/plans/a.md" });
    expect(asked).toMatchObject({ safetyClass: "plan", question: "Approve this plan?" });
    expect(rows(asked)).toEqual([
      "allow_once: Yes, and ask before each edit",
      "allow_always: Yes, and accept edits without asking in this session",
      "reject_once: No, keep planning",
    ]);
  });

  it.each([
    ["no tool", { tool_input: {} }],
    ["no input", { tool_name: "Bash" }],
    ["an input that is a list", { tool_name: "Bash", tool_input: [] }],
  ])("cannot be shown with %s", (_, body) => {
    expect(hooks && readToolCall(hooks, "PermissionRequest", body)).toBeNull();
  });
});

const option = (label: string, description?: string) => ({ label, ...(description && { description }) });
const DATABASE = {
  question: "Which database should we use?",
  header: "Database",
  multiSelect: false,
  options: [option("PostgreSQL", "Relational"), option("SQLite")],
};
const FEATURES = { ...DATABASE, question: "Which features?", header: "Features", multiSelect: true };

describe("the prompt of a call with questions", () => {
  it("one question: its options, own words, or no answer", () => {
    const asked = ask("AskUserQuestion", { questions: [DATABASE] });
    expect(asked).toMatchObject({ safetyClass: "question", question: "Which database should we use?" });
    expect(asked?.choices.map(({ label, detail, takesText }) => [label, detail, takesText])).toEqual([
      ["PostgreSQL", "Relational", undefined],
      ["SQLite", undefined, undefined],
      ["Something else", undefined, "required"],
      ["Decline to answer", undefined, "optional"],
    ]);
  });

  it("several options of one question: a check list that can be declined", () => {
    const asked = ask("AskUserQuestion", { questions: [FEATURES] });
    expect(asked?.constraints).toEqual({ minChoice: 1, maxChoice: 2, multi: true, declinable: true });
    expect(asked?.choices.map(({ label }) => label)).toEqual(["PostgreSQL", "SQLite"]);
  });

  it("several questions: a form, all of it in the content", () => {
    const asked = ask("AskUserQuestion", { questions: [DATABASE, FEATURES] });
    expect(asked).toMatchObject({ promptType: "free_text", constraints: { declinable: true } });
    expect(asked?.constraints.form?.map(({ name, multi }) => [name, multi])).toEqual([
      ["Database", undefined],
      ["Features", true],
    ]);
    expect(asked?.content.text).toBe(
      "1) Which database should we use?\n   1. PostgreSQL – Relational\n   2. SQLite\n\n" +
        "2) Which features? (several: 1,3 or none)\n   1. PostgreSQL – Relational\n   2. SQLite",
    );
  });

  it("shows what stands beside the options", () => {
    const preview = { ...DATABASE, options: [{ label: "A", preview: "+--+\n|  |" }, option("B")] };
    expect(ask("AskUserQuestion", { questions: [preview] })?.content.text).toBe("A:\n+--+\n|  |");
  });

  it("cannot be answered when a part of it cannot be read", () => {
    for (const broken of [
      [],
      "what?",
      [DATABASE, { question: "And?" }],
      [{ ...DATABASE, options: [option("A"), {}] }],
      [DATABASE, DATABASE],
    ])
      expect(ask("AskUserQuestion", { questions: broken }), JSON.stringify(broken)).toBeNull();
  });

  it("names fields by number where headers do not tell them apart", () => {
    const asked = ask("AskUserQuestion", { questions: [DATABASE, { ...FEATURES, header: "Database" }] });
    expect(asked?.constraints.form?.map(({ name }) => name)).toEqual(["question 1", "question 2"]);
  });
});
