/**
 * What a call says beside its command: a rule answers only where each field is known to be harmless, counts the directory that the call
 * names, and takes no other call for a command; a rule that forbids finds its words in every field.
 */
import { describe, expect, it } from "vitest";
import type { PromptEvent } from "../../../../../src/model/prompt.js";
import { createCodexRequest } from "../../../../../src/worker/integrations/codex/questions.js";
import { createPermissionRequest } from "../../../../../src/worker/integrations/opencode/questions.js";
import { callPrompt, judge, parseRules } from "../../../../support/policy/policies.js";

const RULES = parseRules(`
  - { id: no-remove, match: { command: [rm -rf] }, deny: true }
  - { id: here, match: { command: [git status, ls, cat, make], path: . }, answer: allow_once }
  - { id: anywhere, match: { command: [npm test] }, answer: allow_once }
  - { id: below, match: { command: [pwd], cwd: ~/project }, answer: allow_once }
`);

const verdict = (tool: string, input: object): string => judge(RULES, callPrompt(tool, input)).kind;

/** As a tool's side channel reports it. */
function judgeReport(prompt: Pick<PromptEvent, "content" | "choices"> | undefined): string {
  expect(prompt).toBeDefined();
  const { content, choices } = prompt!;
  return judge(RULES, callPrompt("", {}, { content, choices, constraints: { minChoice: 1, maxChoice: 9 } }))
    .kind;
}

describe("a command that a rule answers for", () => {
  it.each([
    ["Bash", { command: "git status", description: "look", timeout: 5000, run_in_background: true }],
    ["Bash", { command: "git status", dangerouslyDisableSandbox: false }],
    ["bash", { command: "git status", description: "look", workdir: "/home/ara/project" }],
    ["bash", { command: "git status", workdir: "src" }],
    ["shell", { command: "/bin/bash -lc 'git status'", cwd: "/home/ara/project", reason: "look" }],
    ["execute", { command: "git status", commands: ["git status"] }],
    ["execute", { command: "git status && ls", commands: ["git status", "ls"] }],
    ["run_shell_command", { command: "git status", directory: null, is_background: false }],
    ["Bash", { command: "git status", env: {}, args: [] }],
  ])("may come with harmless fields: %s %o", (tool, input) => expect(verdict(tool, input)).toBe("answer"));

  it.each([
    ["bash", { command: "cat hostname", workdir: "/etc" }],
    ["bash", { command: "cat hostname", workdir: "../other" }],
    ["bash", { command: "cat hostname", workdir: "/home/ara/project/../../../etc" }],
    ["bash", { command: "cat passwd", workdir: "/home/ara/link" }],
    ["bash", { command: "make", workdir: "/tmp/evil" }],
    ["shell", { command: "make", cwd: "/tmp/evil" }],
    ["run_shell_command", { command: "make", dir_path: "/tmp/evil" }],
    ["run_shell_command", { command: "make", directory: "/tmp/evil" }],
    ["Bash", { command: "pwd", workdir: "/tmp/evil" }],
    ["bash", { command: "npm test", workdir: "$EVIL" }],
    ["bash", { command: "npm test", workdir: "~/x" }],
    ["bash", { command: "npm test", workdir: "/a", cwd: "/b" }],
    ["bash", { command: "npm test", workdir: ["/a"] }],
    ["Bash", { command: "git status", env: { GIT_CONFIG_COUNT: "1" } }],
    ["Bash", { command: "git status", args: ["; rm x"] }],
    ["Bash", { command: "ls", script: "touch x" }],
    ["Bash", { command: "ls", commands: ["ls", "touch x"] }],
    ["Bash", { command: "ls", stdin: "y" }],
    ["Bash", { command: "ls", shell: "/tmp/evil" }],
    ["Bash", { command: "ls", dangerouslyDisableSandbox: true }],
    ["Bash", { command: "ls", allowed_domains: ["evil.example"] }],
    ["Bash", { command: "ls", anything: false }],
    ["shell", { command: "ls", networkApprovalContext: { host: "evil.example" } }],
    ["shell", { command: "ls", additionalPermissions: { network: true } }],
    ["shell", { command: "ls", environmentId: "prod-7" }],
    ["external_directory", { command: "cat hostname", filepath: "/etc" }],
    ["external_directory", { command: "ls" }],
    ["doom_loop", { command: "ls" }],
    ["write_stdin", { command: "ls" }],
    ["PowerShell", { command: "ls" }],
    ["mcp__shop__run", { command: "ls" }],
    ["str_replace_editor", { command: "cat", path: "/etc/passwd" }],
    ["apply_patch", { command: "*** Begin Patch\n*** Add File: x\n+ls\n*** End Patch" }],
  ])("is no command with anything else: %s %o", (tool, input) => expect(verdict(tool, input)).toBe("ask"));

  it("is read as each tool's side channel reports it", () => {
    const metadata = { permission: "bash", metadata: {}, always: ["*"], patterns: [] };
    const of = (permission: string, input: Record<string, unknown>): string =>
      judgeReport(createPermissionRequest({ ...metadata, permission }, input, "/home/ara/project")?.prompt);
    expect(of("bash", { command: "cat a.txt", description: "look" })).toBe("answer");
    expect(of("bash", { command: "cat hostname", workdir: "/etc" })).toBe("ask");
    expect(of("external_directory", { command: "cat a.txt" })).toBe("ask");
    const codex = (params: Record<string, unknown>): string =>
      judgeReport(
        createCodexRequest("item/commandExecution/requestApproval", params, null, "/home/ara/project")
          ?.prompt,
      );
    expect(codex({ command: "/bin/bash -lc ls", cwd: "/home/ara/project" })).toBe("answer");
    expect(codex({ command: "/bin/bash -lc ls", cwd: "/etc" })).toBe("ask");
    expect(codex({ command: "ls", kind: "writeStdin" })).toBe("ask");
  });
});

describe("a command that a rule forbids", () => {
  it.each([
    ["mcp__shop__run", { command: "rm -rf x" }],
    ["Bash", { command: "ls", script: "rm -rf x" }],
    ["Bash", { command: "rm", args: ["-rf", "x"] }],
    ["Bash", { command: "ls", commands: ["rm -rf x"] }],
    ["Bash", { cmd: "rm -rf x", workdir: "/tmp" }],
    ["PowerShell", { command: "rm -rf x" }],
  ])("is found in every field: %s %o", (tool, input) => expect(verdict(tool, input)).toBe("deny"));
});

describe("a path that a rule forbids", () => {
  const denied = parseRules("\n  - { id: r, match: { path: /etc }, deny: true }\n");

  it.each([
    ["bash", { command: "ls", workdir: "/etc" }],
    ["external_directory", { command: "ls", filepath: "/etc/hosts", parentDir: "/etc" }],
    ["apply_patch", { command: "*** Begin Patch\n*** Update File: /etc/hosts\n+x\n*** End Patch" }],
    [
      "apply_patch",
      { input: "*** Begin Patch\n*** Add File: a\n+x\n*** Move to: ../../../etc/a\n*** End Patch" },
    ],
    ["str_replace_editor", { command: "view", path: "/etc/passwd" }],
  ])("is found beside the command: %s %o", (tool, input) =>
    expect(judge(denied, callPrompt(tool, input)).kind).toBe("deny"),
  );
});
