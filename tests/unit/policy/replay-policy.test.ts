/** Rules beside what was asked before: what they would have answered, never what people denied; and the rule to paste. */
import { describe, expect, it } from "vitest";
import { parsePolicy } from "../../../src/hub/policy/load-policy.js";
import type { AskedPrompt } from "../../../src/hub/store/asked-prompts.js";
import { computeStats, replayPolicy } from "../../../src/policy/replay-policy.js";
import { commandPrompt, parseRules, WORLD } from "../../support/policy/policies.js";

let n = 0;
const asked = (command: string, value: string | null, over: Partial<AskedPrompt> = {}): AskedPrompt => ({
  shortId: `k${(n += 1)}`,
  sessionId: "s1",
  event: commandPrompt(command),
  state: "answered",
  tool: "claude",
  label: null,
  cwd: "/home/ara/project",
  askedAt: n * 60_000,
  answer:
    value === null
      ? null
      : { value, identity: "chat:1", person: "Ara", at: n * 60_000 + 5_000, tookMs: 5_000 },
  ...over,
});

const WEEK = [
  ...Array.from({ length: 4 }, () => asked("npm test", "1")),
  asked("npm test -- --watch", "1"),
  asked("git push", "3"),
  asked("git push", "1"),
  ...Array.from({ length: 3 }, () => asked("git push origin main", "1")),
  asked("ls", null),
  asked("ls -a", "1", {
    answer: { value: "1", identity: "auto:policy", person: "the policy", at: 0, tookMs: 0 },
  }),
];

describe("replay", () => {
  it("counts what a rule would have answered, by what people decided, and names every contradiction", () => {
    const rules = parseRules(`
  - { id: tests, match: { command: [npm test, ls] }, answer: allow_once, max: 6 }
  - { id: push, match: { command: [git push] }, answer: allow_once }
`);
    const found = replayPolicy(rules, WEEK, WORLD);
    expect(found.prompts).toBe(12);
    expect(found.answered).toEqual({ approved: 9, denied: 1, automatic: 0, unproved: 0, elsewhere: 1 });
    expect(found.conflicts).toMatchObject([{ rule: "push", verdict: "answer", question: "git push" }]);
  });

  it("counts denials likewise", () => {
    const rules = parseRules("\n  - { id: no-push, match: { command: [git push] }, deny: true }\n");
    const { denied, conflicts } = replayPolicy(rules, WEEK, WORLD);
    expect(denied).toMatchObject({ approved: 4, denied: 1 });
    expect(conflicts).toHaveLength(4);
  });
});

describe("stats", () => {
  const stats = computeStats(WEEK, WORLD);

  it("say who answered, how many and how fast", () => {
    expect(stats.decided).toEqual({ approved: 9, denied: 1, automatic: 1, unproved: 0, elsewhere: 1 });
    expect(stats).toMatchObject({ medianMs: 5_000, slowestMs: 5_000, byPerson: { Ara: 10 } });
  });

  it("take no time from an answer while which the clock was set", () => {
    const answer = { value: "1", identity: "chat:1", person: "Ara", at: 0, tookMs: null };
    const set = asked("npm test", "1", { answer });
    expect(computeStats([set], WORLD)).toMatchObject({ medianMs: null, slowestMs: null, untimed: 1 });
    expect(computeStats([...WEEK, set], WORLD)).toMatchObject({ medianMs: 5_000, untimed: 1 });
  });

  it("count no answer as given that the tool is not known to have read", () => {
    const states = ["failed", "uncertain", "withdrawn", "injecting"] as const;
    const lost = states.map((state) => asked("npm test", "1", { state }));
    expect(computeStats(lost, WORLD)).toMatchObject({
      decided: { approved: 0, unproved: 4 },
      medianMs: null,
      byPerson: {},
      suggestions: [],
    });
  });

  it("say beside a rule how many prompts it would have answered that were decided nobody knows how", () => {
    const atTerminal = [asked("npm test", null), asked("npm test", "1", { state: "uncertain" })];
    const { suggestions } = computeStats([...WEEK, ...atTerminal], WORLD);
    expect(suggestions).toMatchObject([{ command: "npm test", answers: 5, unknown: 2 }]);
  });

  it.each([
    ["npm test || true", "npm test || true", []],
    ["true", "true", ["true"]],
    ["cut -f1,2 a.csv", "cut -f1,2 b.csv", ["cut -f1,2"]],
    ["sort -k2,2 a", "sort -k2,2 b", ["sort -k2,2"]],
    [`cat ${"a".repeat(120)}`, `cat ${"a".repeat(120)} b`, [`cat ${"a".repeat(120)}`]],
    [`cat ${"a".repeat(400)}`, `cat ${"a".repeat(400)}`, []],
    ["npm run build", "npm run build -s", ["npm run build"]],
    ["npm run", "npm run", []],
  ])("never fail because of a command on record: %s", (first, second, suggested) => {
    const week = [first, second, first].map((command) => asked(command, "1"));
    const { prompts, suggestions } = computeStats(week, WORLD);
    expect(prompts).toBe(3);
    for (const command of suggested) expect(suggestions.map((each) => each.command)).toContain(command);
    expect(suggestions.map((each) => each.command)).not.toContain("npm run");
    for (const { command, rule } of suggestions) {
      const pasted = parsePolicy(`version: 1\nrules:\n${rule}`, "policy.yaml", null);
      expect(pasted.rules[0]?.entry.match.command).toEqual([command]);
    }
  });

  it.each([
    [["git push origin a", "git push origin b", "git push origin c"], []],
    [["git push", "git push", "git push"], []],
    [["git stash list", "git stash list", "git stash list -3"], ["git stash list"]],
    [["gh pr view 1", "gh pr view 2", "gh pr view 3"], ["gh pr view"]],
    [["kubectl get pods", "kubectl get nodes", "kubectl get pods -n x"], ["kubectl get"]],
    [["rails db:migrate", "rails db:migrate", "rails db:migrate"], []],
    [["npm run build", "npm run build", "npm run build"], ["npm run build"]],
    [["rm a", "rm a", "rm a"], []],
    [["dd if=a", "dd if=a", "dd if=a"], []],
    [["git fetch origin", "git fetch origin", "git fetch origin"], ["git fetch"]],
    [["find . -name a", "find . -name b", "find . -name c"], ["find ."]],
  ])("suggest no rule that covers what destroys: %j", (commands, suggested) => {
    const { suggestions } = computeStats(
      commands.map((command) => asked(command, "1")),
      WORLD,
    );
    expect(suggestions.map(({ command }) => command)).toEqual(suggested);
  });

  it("suggest a rule that would have answered nothing that was denied, and that can be pasted", () => {
    expect(stats.suggestions.map(({ command, answers }) => [command, answers])).toEqual([["npm test", 5]]);
    const pasted = parsePolicy(`version: 1\nrules:\n${stats.suggestions[0]!.rule}`, "policy.yaml", null);
    expect(replayPolicy(pasted, WEEK, WORLD).answered).toMatchObject({ approved: 5, denied: 0 });
  });
});
