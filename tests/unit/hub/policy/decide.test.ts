/** The verdict: deny before answer before ask before notify, the first match in a class, with rule and reason; limits are kept. */
import { describe, expect, it } from "vitest";
import type { RuleUses } from "../../../../src/hub/policy/verdict.js";
import { callPrompt, commandPrompt, judge, parseRules } from "../../../support/policy/policies.js";

const EXAMPLE = parseRules(`
  - id: safe-commands
    match: { class: permission, command: [git status, npm test, ls] }
    answer: allow_once
    max: 50
  - id: never-force-push
    match: { command: [git push --force] }
    deny: "Force-pushing is not allowed here."
  - id: production
    match: { path: ~/srv/prod }
    ask: { expires: 5m }
  - id: just-tell
    match: { class: question }
    notify: true
`);

describe("the verdict", () => {
  it("is the rule's answer for what it names, with the rule and a reason", () => {
    const verdict = judge(EXAMPLE, commandPrompt("git status -s"));
    expect(verdict).toMatchObject({ kind: "answer", rule: "safe-commands", value: "1" });
    expect(verdict.reason).toContain("every part of the command is listed");
  });

  it.each(["git statusx", "git stash", "git status; touch x", "git status && npm testx", "ls > out"])(
    "asks people about %s",
    (line) => expect(judge(EXAMPLE, commandPrompt(line))).toMatchObject({ kind: "ask", rule: "default" }),
  );

  it("says what the nearest rule does not allow", () => {
    expect(judge(EXAMPLE, commandPrompt("git status; touch x")).reason).toContain("touch x is not listed");
  });

  it("denies before it answers, with the message", () => {
    const rules = parseRules(`
  - { id: all-git, match: { command: [git] }, answer: allow_once }
  - { id: no-force, match: { command: [git push --force] }, deny: "Not here." }
`);
    for (const line of ["git push --force", "git push origin main --force", "git status && git push --force"])
      expect(judge(rules, commandPrompt(line))).toMatchObject({
        kind: "deny",
        rule: "no-force",
        message: "Not here.",
      });
    expect(judge(rules, commandPrompt("git push origin main"))).toMatchObject({
      kind: "answer",
      rule: "all-git",
    });
  });

  it.each([
    "sudo git push --force",
    "bash -c 'git push --force'",
    "ls $(git push --force)",
    "x=1 git push --force",
    "/usr/bin/git push --force",
    "GIT push --force",
    "find . -exec git push --force ';'",
    "git push '--force'",
    "if true; then git push --force; fi",
  ])("finds what is forbidden in %s", (line) =>
    expect(judge(EXAMPLE, commandPrompt(line))).toMatchObject({ kind: "deny", rule: "never-force-push" }),
  );

  // A shell runs what stands in the subscript of an array.
  it.each([
    "read 'x[$(git push --force)]'",
    "[[ 'a[`git push --force`]' -eq 1 ]]",
    "test -v 'a[$(git push --force)]'",
  ])("lets no rule answer what a denial may match: %s", (line) => {
    const rules = parseRules(`
  - { id: all, match: { class: permission }, answer: allow_once }
  - { id: no-force, match: { command: [git push --force] }, deny: true }
`);
    expect(judge(rules, commandPrompt(line))).toMatchObject({ kind: "ask", rule: "default" });
  });

  it("asks people where it is not certain that a denial matches", () => {
    const verdict = judge(EXAMPLE, commandPrompt('eval "$X"'));
    expect(verdict).toMatchObject({ kind: "ask", rule: "default" });
    expect(verdict.reason).toContain("never-force-push");
    // The command is no part of what the audit keeps.
    expect(verdict).toMatchObject({
      held: { rule: "never-force-push", why: "it is not certain that it matches" },
    });
  });

  it("asks with the terms of the first rule that asks", () => {
    expect(judge(EXAMPLE, callPrompt("Edit", { file_path: "/home/ara/srv/prod/x" }))).toMatchObject({
      kind: "ask",
      rule: "production",
      terms: { expiresMs: 300_000 },
    });
  });

  it("lets a rule notify where none asks", () => {
    expect(judge(EXAMPLE, callPrompt("Ask", {}, { safetyClass: "question" }))).toMatchObject({
      kind: "notify",
      rule: "just-tell",
    });
  });

  it("takes the first rule that matches in a class", () => {
    const rules = parseRules(`
  - { id: first, match: { tool: claude }, answer: allow_once }
  - { id: second, answer: reject_once }
`);
    expect(judge(rules, callPrompt("Edit", {})).rule).toBe("first");
    expect(judge(rules, callPrompt("Edit", {}), { session: { tool: "codex" } })).toMatchObject({
      rule: "second",
      value: "3",
    });
  });
});

describe("an answer", () => {
  it("is given only where exactly one choice has the intent", () => {
    const choices = [
      { label: "Yes", intent: "allow_once" },
      { label: "Yes, slowly", intent: "allow_once" },
      { label: "No", intent: "reject_once" },
    ] as const;
    expect(judge(EXAMPLE, commandPrompt("ls", { choices })).kind).toBe("ask");
  });

  it("is y of a yes-or-no prompt", () => {
    const choices = [
      { label: "Yes", intent: "allow_once" },
      { label: "No", intent: "reject_once" },
    ] as const;
    expect(
      judge(EXAMPLE, commandPrompt("ls", { promptType: "yes_no", choices, constraints: {} })),
    ).toMatchObject({
      kind: "answer",
      value: "y",
    });
  });

  it("is never a choice that holds for more than the prompt, by intent or by its words", () => {
    const value = (number: string) => parseRules(`\n  - { id: r, answer: { value: "${number}" } }\n`);
    expect(judge(value("1"), callPrompt("Edit", {})).kind).toBe("answer");
    expect(judge(value("2"), callPrompt("Edit", {})).kind).toBe("ask");
    const choices = [
      { label: "Yes", intent: "other" },
      { label: "Yes, and do not ask again", intent: "other" },
    ] as const;
    expect(judge(value("2"), callPrompt("Edit", {}, { choices, constraints: {} })).kind).toBe("ask");
  });

  it("is never an illegal value", () => {
    expect(judge(parseRules('\n  - { id: r, answer: { value: "9" } }\n'), callPrompt("Edit", {})).kind).toBe(
      "ask",
    );
  });

  it("ends with the uses in the session, and with the rate", () => {
    const uses = (total: number, since: number): RuleUses => ({ total: () => total, since: () => since });
    expect(judge(EXAMPLE, commandPrompt("ls"), { uses: uses(49, 0) }).kind).toBe("answer");
    expect(judge(EXAMPLE, commandPrompt("ls"), { uses: uses(50, 0) })).toMatchObject({
      kind: "ask",
      reason: expect.stringContaining("50 times") as string,
      held: { rule: "safe-commands", why: "it has answered 50 times in this session" },
    });
    const rated = parseRules(
      "\n  - { id: r, match: { command: [ls] }, answer: allow_once, rate: { uses: 2, per: 1m } }\n",
    );
    expect(judge(rated, commandPrompt("ls"), { uses: uses(9, 1) }).kind).toBe("answer");
    expect(judge(rated, commandPrompt("ls"), { uses: uses(9, 2) }).kind).toBe("ask");
  });
});

describe("a denial", () => {
  it("asks people where no choice just rejects", () => {
    const choices = [{ label: "Yes", intent: "allow_once" }] as const;
    expect(judge(EXAMPLE, commandPrompt("git push --force", { choices, constraints: {} })).kind).toBe("ask");
  });
});
