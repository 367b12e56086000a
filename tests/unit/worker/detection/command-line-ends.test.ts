/** A carriage return in a command stays visible: a shell takes it for a part of a word, and no rule answers such a command. */
import { describe, expect, it } from "vitest";
import { redactContent } from "../../../../src/worker/detection/prompt-content.js";
import { sanitizeText } from "../../../../src/safety/safe-text.js";
import { testCommand } from "../../../../src/policy/explain-prompt.js";
import { callPrompt, judge, parseRules } from "../../../support/policy/policies.js";

const RULES = parseRules(
  "\n  - { id: r, match: { class: permission, command: [git status, ls] }, answer: allow_once }\n",
);

describe("a command with a carriage return", () => {
  it.each(["git status\r\n", "ls\r\n", "ls\r", "ls\r\nls"])("%j is left to people", (command) => {
    const call = { tool: "Bash", input: { command } };
    const content = redactContent({ text: command, cut: null, call }, sanitizeText);
    expect(JSON.stringify(content.call)).toContain("‹U+000D›");
    expect(judge(RULES, callPrompt("Bash", {}, { content })).kind).toBe("ask");
    const tested = testCommand(RULES, { command, tool: "claude", cwd: "/", now: 0 });
    expect(tested).toMatchObject({ verdict: "ask", rule: null });
  });

  it("is no reason against changes to files that have such line ends", () => {
    const call = { tool: "Edit", input: { file_path: "a", old_string: "a\r\n", new_string: "b\r\n" } };
    const content = redactContent({ text: "a", cut: null, call }, sanitizeText);
    expect(JSON.stringify(content.call)).not.toContain("U+000D");
  });
});
