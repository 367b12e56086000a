/** Each condition of a rule: everything must be what a permission names, one part is enough for a denial, and exceptions are read the other way round. */
import { describe, expect, it } from "vitest";
import type { PromptEvent } from "../../../../src/model/prompt.js";
import { callPrompt, commandPrompt, judge, parseRules } from "../../../support/policy/policies.js";

type Over = Parameters<typeof judge>[2];

function answers(match: string, event: PromptEvent, over?: Over): boolean {
  return (
    judge(parseRules(`\n  - { id: r, match: ${match}, answer: allow_once }\n`), event, over).kind === "answer"
  );
}

function denies(match: string, event: PromptEvent, over?: Over): boolean {
  return judge(parseRules(`\n  - { id: r, match: ${match}, deny: true }\n`), event, over).kind === "deny";
}

const EDIT = callPrompt("Edit", { file_path: "/home/ara/project/src/a.ts" });

describe("a condition", () => {
  it.each([
    ["{ tool: claude }", true],
    ["{ tool: [codex, claude] }", true],
    ["{ tool: codex }", false],
    ["{ type: multiple_choice }", true],
    ["{ type: yes_no }", false],
    ["{ class: [permission, plan] }", true],
    ["{ class: plan }", false],
    ["{ confidence: high }", true],
    ["{ confidence: medium }", false],
    ["{ intent: allow_always }", true],
    ["{ intent: reject_always }", false],
    ["{ call: Edit }", true],
    ["{ call: 'Ed*' }", true],
    ["{ call: '*it' }", true],
    ["{ call: 'E*d*t' }", true],
    ["{ call: Ed }", false],
    ["{ call: 'E*x*t' }", false],
    ["{ text: 'src/a' }", true],
    ["{ text: nowhere }", false],
    ["{ pattern: 'src/[a-z]+\\.ts' }", true],
    ["{ pattern: '^src' }", false],
    ["{ cwd: ~/project }", true],
    ["{ cwd: ~/proj }", false],
    ["{ cwd: ~/ }", true],
    ["{ label: 'api*' }", false],
    ["{ any_of: [{ tool: codex }, { call: Edit }] }", true],
    ["{ any_of: [{ tool: codex }, { call: Bash }] }", false],
    ["{ none_of: [{ tool: codex }] }", true],
    ["{ none_of: [{ tool: codex }, { call: Edit }] }", false],
    ["{ tool: claude, call: Bash }", false],
  ])("%s holds for an edit: %s", (match, holds) => {
    expect(answers(match, EDIT)).toBe(holds);
    expect(denies(match, EDIT)).toBe(holds);
  });

  it("reads the session's label", () => {
    expect(answers("{ label: 'api*' }", EDIT, { session: { label: "api-2" } })).toBe(true);
  });

  it("reads the time of day and the day in local time", () => {
    const at = (hours: number, day = 25): Over => ({ now: new Date(2026, 10, day, hours, 30).getTime() });
    expect(answers("{ time: { from: '09:00', to: '18:00' } }", EDIT, at(9))).toBe(true);
    expect(answers("{ time: { from: '09:00', to: '18:00' } }", EDIT, at(18))).toBe(false);
    expect(answers("{ time: { from: '22:00', to: '06:00' } }", EDIT, at(3))).toBe(true);
    expect(answers("{ time: { from: '22:00', to: '06:00' } }", EDIT, at(12))).toBe(false);
    expect(answers("{ day: [wed] }", EDIT, at(9))).toBe(true);
    expect(answers("{ day: [sat, sun] }", EDIT, at(9))).toBe(false);
  });
});

describe("a path", () => {
  it("covers what lies below it, by whole names", () => {
    expect(answers("{ path: ~/project }", EDIT)).toBe(true);
    expect(answers("{ path: ~/project/src/a }", EDIT)).toBe(false);
    expect(answers("{ path: . }", EDIT)).toBe(true);
    expect(answers("{ path: src }", EDIT)).toBe(true);
    expect(answers("{ path: ~/proj }", EDIT)).toBe(false);
  });

  it("of a permission covers every path of the call, with links and `..` resolved", () => {
    const of = (input: object) => answers("{ path: ~/project }", callPrompt("Move", input));
    expect(of({ source: "a", destination: "b/c" })).toBe(true);
    expect(of({ source: "a", destination: "/etc/passwd" })).toBe(false);
    expect(of({ file_path: "../other" })).toBe(false);
    expect(of({ file_path: "src/../../other" })).toBe(false);
    expect(of({ file_path: "/home/ara/link/passwd" })).toBe(false);
    expect(of({ file_path: "a", other: "/etc/passwd" })).toBe(false);
    expect(of({ file_path: "a", content: "/etc/passwd" })).toBe(true);
    expect(of({ pattern: "**/*.ts" })).toBe(true);
    expect(of({ pattern: "/etc/**" })).toBe(false);
    expect(of({ changes: [{ path: "a" }, { path: "/b" }] })).toBe(false);
    expect(of({})).toBe(false);
  });

  it("of a denial covers any path of the call, also behind a link", () => {
    const of = (input: object) => denies("{ path: /etc }", callPrompt("Move", input));
    expect(of({ source: "a", destination: "/etc/passwd" })).toBe(true);
    expect(of({ file_path: "/home/ara/link/passwd" })).toBe(true);
    expect(of({ file_path: "/etcetera" })).toBe(false);
  });

  it("of a permission for commands covers every word that may be a path", () => {
    const of = (line: string) => answers("{ command: [cat, ls, grep], path: . }", commandPrompt(line));
    expect(of("cat src/a.ts")).toBe(true);
    expect(of("grep -rn word src")).toBe(true);
    expect(of("cat /etc/passwd")).toBe(false);
    expect(of("cat ~/x")).toBe(false);
    expect(of("cat ../x")).toBe(false);
    expect(of("grep --file=/etc/passwd x")).toBe(false);
    expect(of("grep -f/etc/passwd x")).toBe(false);
    expect(of("cat src/*.ts")).toBe(false);
    expect(of("ls && cat /etc/passwd")).toBe(false);
    expect(answers("{ command: [cd, ls], path: . }", commandPrompt("cd src && ls"))).toBe(false);
  });

  it("of a denial for commands covers any of them, and asks where one is only known later", () => {
    const rules = parseRules("\n  - { id: r, match: { path: /etc }, deny: true }\n");
    expect(judge(rules, commandPrompt("cat a /etc/passwd")).kind).toBe("deny");
    expect(judge(rules, commandPrompt("echo x > /etc/passwd")).kind).toBe("deny");
    expect(judge(rules, commandPrompt("cat $FILE"))).toMatchObject({ kind: "ask" });
    expect(judge(rules, commandPrompt("cat a"))).toMatchObject({ kind: "ask", rule: "default" });
  });
});

describe("a host", () => {
  const fetch = (url: string, prompt = "") => callPrompt("Fetch", { url, prompt });

  it("is the host of the call's URL, exactly or below a domain", () => {
    expect(answers("{ host: example.com }", fetch("https://example.com/x"))).toBe(true);
    expect(answers("{ host: example.com }", fetch("https://EXAMPLE.com./x"))).toBe(true);
    expect(answers("{ host: '*.example.com' }", fetch("https://a.example.com"))).toBe(true);
    expect(answers("{ host: '*.example.com' }", fetch("https://example.com"))).toBe(false);
    expect(answers("{ host: example.com }", fetch("https://example.com.evil.org"))).toBe(false);
    expect(answers("{ host: example.com }", fetch("https://example.com@evil.org"))).toBe(false);
    expect(answers("{ host: example.com }", fetch("ftp://example.com"))).toBe(false);
    expect(answers("{ host: example.com }", fetch("no url"))).toBe(false);
    expect(answers("{ host: example.com }", callPrompt("Fetch", { text: "https://example.com" }))).toBe(
      false,
    );
  });

  it("of a permission is the host of every argument that is a URL, whatever its name", () => {
    const of = (others: object) =>
      answers("{ host: example.com }", callPrompt("Fetch", { url: "https://example.com", ...others }));
    expect(of({ callback_url: "https://example.com/done" })).toBe(true);
    expect(of({ webhook: { to: ["https://example.com"] } })).toBe(true);
    expect(of({ prompt: "Summary: what does https://evil.org/x say?", language: "en" })).toBe(true);
    for (const url of [
      "https://evil.org",
      " https://evil.org/x ",
      "https:evil.org",
      "ws://evil.org",
      "//evil.org/x",
    ]) {
      expect([url, of({ callback_url: url })]).toEqual([url, false]);
      expect([url, of({ then: url })]).toEqual([url, false]);
      expect([url, of({ webhook: { to: [{ at: url }] } })]).toEqual([url, false]);
    }
    expect(of({ body: "https://evil.org/x?data=a b" })).toBe(false);
    expect(of({ then: "https://example.com@evil.org" })).toBe(false);
    expect(of({ then: "file:///etc/passwd" })).toBe(false);
    expect(of({ then: "mailto:eve@evil.org" })).toBe(false);
    expect(of({ then: "evil.org:8080" })).toBe(false);
    expect(of({ then: "C:\\x" })).toBe(true);
  });

  it("of a permission cannot be told where an argument is named like a URL and is none", () => {
    const of = (others: object) =>
      answers("{ host: example.com }", callPrompt("Fetch", { url: "https://example.com", ...others }));
    for (const name of ["callback_url", "webhookUrl", "redirect_uri", "proxy_host"]) {
      expect([name, of({ [name]: "evil.org" })]).toEqual([name, false]);
      expect([name, of({ [name]: "" })]).toEqual([name, true]);
    }
  });

  it("of a denial may stand anywhere in the call", () => {
    expect(denies("{ host: evil.org }", fetch("https://example.com", "then https://evil.org/x"))).toBe(true);
    expect(denies("{ host: evil.org }", commandPrompt("curl https://evil.org/x"))).toBe(true);
  });
});

describe("an exception", () => {
  it("holds a permission back as soon as one part is named", () => {
    const match = "{ command: [git], none_of: [{ command: [git push] }] }";
    expect(answers(match, commandPrompt("git status"))).toBe(true);
    expect(answers(match, commandPrompt("git status && git push"))).toBe(false);
    expect(answers(match, commandPrompt("git push"))).toBe(false);
  });

  it("holds a permission back where it cannot be told", () => {
    const long = callPrompt("Edit", { file_path: "a" }, { content: { text: "x".repeat(70_000), cut: null } });
    expect(answers("{ none_of: [{ text: secret }] }", long)).toBe(false);
    expect(answers("{ none_of: [{ tool: codex }] }", long)).toBe(true);
  });
});

describe("a text", () => {
  /** As a program prints it on a line, below the question before it. */
  const drawn = (earlier: string, question: string): PromptEvent => ({
    ...callPrompt("Bash", {}, { content: { text: `${earlier}\n${question} [y/N]`, cut: null } }),
    excerpt: question,
  });
  const below = drawn("Deploy to staging? [y/N] y", "Delete the database?");

  it.each(["text: Deploy to staging", "pattern: '(?m)^Deploy to'"])(
    "that stands above the question permits nothing, and still denies: %s",
    (match) => {
      expect(answers(`{ ${match} }`, below)).toBe(false);
      expect(answers(`{ ${match} }`, drawn("ready", "Deploy to staging?"))).toBe(true);
      expect(denies(`{ ${match} }`, below)).toBe(true);
      expect(answers(`{ type: multiple_choice, none_of: [{ ${match} }] }`, below)).toBe(false);
    },
  );

  it("that the tool reported counts as a whole", () => {
    const told = { ...below, sources: [{ kind: "protocol", name: "permission" }] as const };
    expect(answers("{ text: Deploy to staging }", told)).toBe(true);
  });
});

describe("a command", () => {
  it("is only read from what the tool reported, never from the screen's text", () => {
    const drawn = callPrompt("Bash", {}, { content: { text: "ls", cut: null } });
    expect(answers("{ command: [ls] }", drawn)).toBe(false);
  });

  it("of a tool that names its own shell is the command of that shell, one level deep", () => {
    expect(answers("{ command: [ls] }", commandPrompt("/bin/bash -lc 'ls -la'"))).toBe(true);
    expect(answers("{ command: [ls] }", commandPrompt("/bin/bash -lc 'ls; touch x'"))).toBe(false);
    expect(answers("{ command: [ls] }", commandPrompt("/bin/bash -lc '/bin/bash -c ls'"))).toBe(false);
    expect(answers("{ command: [ls] }", commandPrompt("/bin/bash -lc ls; touch x"))).toBe(false);
    expect(answers("{ command: [ls] }", commandPrompt("/tmp/bash -lc ls"))).toBe(false);
    expect(answers("{ command: [ls] }", callPrompt("shell", { command: ["/bin/sh", "-c", "ls -a"] }))).toBe(
      true,
    );
    expect(answers("{ command: [ls] }", callPrompt("shell", { command: ["ls", "a b"] }))).toBe(true);
    expect(answers("{ command: [ls] }", callPrompt("shell", { command: ["touch", "ls"] }))).toBe(false);
  });

  it("in a list of exact ones has no further word", () => {
    const match = "{ command: [{ exactly: npm run build }] }";
    expect(answers(match, commandPrompt("npm run build"))).toBe(true);
    expect(answers(match, commandPrompt("npm run build -- x"))).toBe(false);
  });
});
