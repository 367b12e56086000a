/**
 * What the preset read-only-auto leaves to people of what real tools asked on a recorded working day, and that it answers nothing
 * harmful in the form in which these tools report it.
 */
import { describe, expect, it } from "vitest";
import { parsePolicy } from "../../../src/hub/policy/load-policy.js";
import { PRESET_TEXTS } from "../../../src/policy/presets.js";
import { HARMFUL } from "../../support/policy/day-requests.js";
import { judge } from "../../support/policy/policies.js";
import { asEvent, DAY_TOOLS, keptDay, RECORDED_PLACE } from "../../support/policy/recorded-day.js";

const policy = parsePolicy(PRESET_TEXTS["read-only-auto"], "policy.yaml", null);

describe("the preset read-only-auto on a recorded day of a real tool", () => {
  it.each([
    // Asks about every command: more than half of that is reading. `find` is left, for it may run programs.
    ["opencode", { calls: 38, asked: 30, left: 14, reading: 1 }],
    // Asks about some of the reading, and reports no call that a rule could judge.
    ["gemini", { calls: 38, asked: 17, left: 17, reading: 7 }],
    // Read by themselves without asking, so there is nothing for the preset to answer.
    ["claude", { calls: 38, asked: 12, left: 12, reading: 0 }],
    ["qwen", { calls: 38, asked: 11, left: 11, reading: 0 }],
    ["codex", { calls: 38, asked: 5, left: 5, reading: 0 }],
  ])("leaves of %s's prompts those that change something, or read what may be secret", (tool, figures) => {
    const { calls, asked } = keptDay(tool);
    const session = { tool, cwd: RECORDED_PLACE };
    const left = asked.filter((prompt) => judge(policy, asEvent(prompt), { session }).kind !== "answer");
    const reading = left.filter(
      ({ excerpt, content }) =>
        !/edit|writ|\.env|npm|npx|rm |git (?:add|commit|push)/i.test(JSON.stringify(content.call ?? excerpt)),
    );
    expect({ calls, asked: asked.length, left: left.length, reading: reading.length }).toEqual(figures);
  });

  it.each(DAY_TOOLS)(
    "answers none of the harmful requests as $name reports them",
    ({ name, toCall, toReport }) => {
      const session = { tool: name };
      const reported = HARMFUL.flatMap((event) => {
        const { call, ...others } = event.content;
        if (call === undefined) return [event];
        const report = toReport(toCall(call.tool, call.input as Record<string, string>));
        return [{ ...event, content: report ? { ...others, call: { ...call, ...report } } : others }];
      });
      expect(reported).toHaveLength(94);
      const answered = reported.filter((event) => judge(policy, event, { session }).kind === "answer");
      expect(answered.map(({ content }) => content.text)).toEqual([]);
    },
  );
});
