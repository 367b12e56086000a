/** A call that says more than which paths it reads is left to people, unless that is known to change nothing about them. */
import { describe, expect, it } from "vitest";
import { parsePolicy } from "../../../../../src/hub/policy/load-policy.js";
import { expandBraces } from "../../../../../src/hub/policy/call/argument-fields.js";
import { PRESET_TEXTS } from "../../../../../src/policy/presets.js";
import { callPrompt, judge, parseRules } from "../../../../support/policy/policies.js";

const READING = parsePolicy(PRESET_TEXTS["read-only-auto"], "policy.yaml", null);
const decide = (tool: string, input: object) => judge(READING, callPrompt(tool, input)).kind;

describe("the preset that reads", () => {
  it.each([
    ["Grep", { pattern: "KEY", path: ".", glob: ".e*" }],
    ["grep", { pattern: "KEY", path: ".", include: "{.e,x}nv" }],
    ["Grep", { pattern: "KEY", path: ".", globs: ["*.ts", "?env"] }],
    ["Grep", { pattern: "KEY", path: ".", no_ignore: true }],
    ["Grep", { pattern: "KEY", path: ".", file_filtering_options: { respect_git_ignore: false } }],
    ["Glob", { pattern: "{..,x}/../*", path: "." }],
    ["Glob", { pattern: "{a,{.,b}}./../x", path: "." }],
    ["Glob", { pattern: "{a,b}".repeat(7), path: "." }],
    ["Read", { file_path: ".{env,x}" }],
    ["Read", { file_path: "src/.{e,x}nv" }],
    ["read", { path: "src/a", uri: "http://example.com/?x" }],
    ["search", { query: "x", url: "http://example.com", path: "." }],
    ["read", { path: "src/a", output: "src/b" }],
    ["read", { path: "src/a", options: { follow_symlinks: true } }],
  ])("asks about %s %o", (tool, input) => expect(decide(tool, input)).toBe("ask"));

  it.each([
    ["Read", { file_path: "src/a.ts", offset: 10, limit: 20 }],
    ["read", { filePath: "src/a.ts" }],
    ["Glob", { pattern: "src/**/*.{ts,tsx}", path: "." }],
    ["Grep", { pattern: "a{2,3}b", path: "src", output_mode: "content", "-n": true, "-A": 3, type: "ts" }],
    ["grep", { pattern: "x", path: "src", include: "a.ts", no_ignore: false, head_limit: null }],
    ["glob", { pattern: "*.ts", path: ".", respect_git_ignore: true, case_sensitive: false }],
    ["list", { path: "src", ignore: ["node_modules"] }],
    ["LS", { path: "/home/ara/project" }],
  ])("answers %s %o", (tool, input) => expect(decide(tool, input)).toBe("answer"));
});

it("an edit is answered with what it writes, and not with what else it may do", () => {
  const policy = parseRules("  - { id: edits, match: { path: src }, answer: allow_once }\n");
  const edit = { file_path: "src/a", old_string: "x", new_string: "y", replace_all: true };
  expect(judge(policy, callPrompt("Edit", edit)).kind).toBe("answer");
  expect(judge(policy, callPrompt("Edit", { ...edit, run_after: "make" })).kind).toBe("ask");
});

it.each([
  ["a", ["a"]],
  ["{a}", ["{a}"]],
  ["{a,b}/c", ["{a,b}/c", "b/c", "a/c"]],
  ["a{1,{2,3}}", ["a{1,{2,3}}", "a3", "a1", "a2"]],
])("braces of %s", (path, names) =>
  expect([...(expandBraces(path) ?? [])].sort()).toEqual([...names].sort()),
);
