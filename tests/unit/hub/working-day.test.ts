/** On a day of forty prompts, half of it at the keyboard, no message rings beside its reader, and few ask nothing. */
import { describe, expect, it } from "vitest";
import { decide } from "../../../src/hub/policy/decide.js";
import { parsePolicy } from "../../../src/hub/policy/load-policy.js";
import type { ActivePolicy } from "../../../src/hub/policy/verdict.js";
import { PRESET_TEXTS } from "../../../src/policy/presets.js";
import { DAY } from "../../support/policy/day-requests.js";
import { WORLD } from "../../support/policy/policies.js";
import { runWorkingDay } from "./working-day.js";

describe("a working day with forty prompts, half of it at the keyboard,", () => {
  it("rings once for each prompt and turn away from the keyboard, and at the keyboard never", async () => {
    const { cards, idle, rangAtKeyboard, ...rest } = await runWorkingDay();
    expect(rangAtKeyboard).toBe(0);
    // Twenty prompts and five turns away from it; two ends of turns that somebody read for longer than half a minute.
    expect({ cards, idle }).toEqual({ cards: 20, idle: 7 });
    expect(rest).toEqual({ asked: 40, messages: 35, reminders: 5, aside: 1, requested: 2 });
    // At most one message in ten asks nothing of anybody.
    expect(rest.aside / rest.messages).toBeLessThan(0.1);
  });

  it("asks for 17 instead of 40 of them, and sends 8 cards instead of 20, with the preset read-only-auto", async () => {
    const rules = parsePolicy(PRESET_TEXTS["read-only-auto"], "policy.yaml", null);
    const policy: ActivePolicy = {
      mode: rules.mode,
      countdownMs: rules.countdownMs,
      decide: (event, session, now, uses) => decide(rules, { event, session, now }, WORLD, uses),
    };
    const before = await runWorkingDay(DAY);
    const after = await runWorkingDay(DAY, () => policy);
    expect([before.asked, after.asked]).toEqual([40, 17]);
    expect([before.cards, after.cards]).toEqual([20, 8]);
    expect([before.reminders, after.reminders]).toEqual([5, 1]);
    expect([before.messages, after.messages]).toEqual([35, 19]);
  });
});
