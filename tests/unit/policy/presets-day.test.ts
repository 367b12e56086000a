/** What the preset read-only-auto leaves to people on a day of forty requests, and that no preset answers anything harmful. */
import { describe, expect, it } from "vitest";
import { PRESET_TEXTS, PRESETS } from "../../../src/policy/presets.js";
import { parsePolicy } from "../../../src/hub/policy/load-policy.js";
import { DAY, HARMFUL, HARMFUL_CALLS } from "../../support/policy/day-requests.js";
import { commandPrompt, judge } from "../../support/policy/policies.js";

const policy = parsePolicy(PRESET_TEXTS["read-only-auto"], "policy.yaml", null);

describe("the preset read-only-auto", () => {
  it("leaves at most half of a day's requests to people", () => {
    const left = DAY.filter((event) => judge(policy, event).kind !== "answer");
    expect(DAY).toHaveLength(40);
    expect(left).toHaveLength(17);
    expect(left.length / DAY.length).toBeLessThanOrEqual(0.5);
  });
});

it.each(PRESETS)("the preset %s answers none of the harmful requests", (preset) => {
  const rules = parsePolicy(PRESET_TEXTS[preset], "policy.yaml", null);
  const answered = [...HARMFUL, ...HARMFUL_CALLS].filter((event) => judge(rules, event).kind === "answer");
  expect(HARMFUL).toHaveLength(94);
  expect(answered.map(({ content }) => content.text)).toEqual([]);
});

describe("the preset ci", () => {
  const rules = parsePolicy(PRESET_TEXTS.ci, "policy.yaml", null);
  const answers = (line: string): boolean => judge(rules, commandPrompt(line)).kind === "answer";

  it("runs the checks of the session's directory, and no file from elsewhere", () => {
    for (const line of ["npm test", "npm test -- log", "pytest tests/a.py", "go test ./...", "make check"])
      expect([line, answers(line)]).toEqual([line, true]);
    for (const line of ["pytest /tmp/evil.py", "pytest ../other", "npm test -- /tmp/evil.test.js"])
      expect([line, answers(line)]).toEqual([line, false]);
  });
});
