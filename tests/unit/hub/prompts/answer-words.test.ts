/** "Deny and stop" says no and then interrupts the tool, in one decision, and its outcome reports both steps. */
import { describe, expect, it } from "vitest";
import { fitButtons } from "../../../../src/hub/delivery/notices/buttons.js";
import { parseTypedAnswer } from "../../../../src/hub/prompts/answer-text.js";
import type { PromptEvent } from "../../../../src/model/prompt.js";
import { canStop } from "../../../../src/model/answer/rejecting.js";
import { parseLegalValue } from "../../../../src/model/answer/reply.js";
import { promptEvent } from "../../../support/prompts.js";
import { FakeChannel, configureChannel, turns } from "../fake-channel.js";
import { makeRig } from "../rig.js";

const STOPPABLE = { constraints: { stoppable: true } };

describe("deny and stop", () => {
  it.each<[string, Partial<PromptEvent>, boolean]>([
    ["a permission with one No", {}, true],
    ["a yes or no", { promptType: "yes_no", choices: [] }, true],
    ["a list that can be declined", { constraints: { multi: true, declinable: true } }, true],
    [
      "two ways to say no",
      { choices: [1, 2].map((n) => ({ label: `No ${n}`, intent: "reject_once" })) },
      false,
    ],
    ["no way to say no", { choices: [{ label: "Fine", intent: "other" }] }, false],
    [
      "a No that needs words",
      { choices: [{ label: "No", intent: "reject_once", takesText: "required" }] },
      false,
    ],
    ["a start-up question, before anything runs", { safetyClass: "trust" }, false],
    ["free text", { promptType: "free_text", choices: [] }, false],
  ])("of %s: %s", (_, over, possible) => {
    expect(canStop(promptEvent(over))).toBe(possible);
  });

  it("is the word `stop` where it is offered, and a text like any other elsewhere", () => {
    expect(parseTypedAnswer(promptEvent(STOPPABLE), " Stop ")).toEqual({ value: "stop" });
    expect(parseLegalValue(promptEvent(STOPPABLE), "stop")).toEqual({ ok: true, value: "stop" });
    expect(parseLegalValue(promptEvent(STOPPABLE), "stop", "why")).toMatchObject({ ok: false });
    expect(parseLegalValue(promptEvent(), "stop")).toMatchObject({ ok: false });
    const text = promptEvent({ promptType: "free_text", choices: [] });
    expect(parseTypedAnswer(text, "stop")).toEqual({ value: "stop" });
    expect(parseLegalValue(text, "stop")).toEqual({ ok: true, value: "stop" });
  });

  it("has the last button, and none where the answers would lose theirs", () => {
    const { capabilities } = configureChannel(new FakeChannel());
    const labels = (buttonsMax: number): string[] =>
      fitButtons(promptEvent(STOPPABLE), { ...capabilities, buttonsMax }).map(({ choice }) => choice.label);
    expect(labels(4)).toEqual(["Yes", "Yes, and don't ask again", "No", "Deny and stop"]);
    expect(labels(3)).toEqual(["Yes", "Yes, and don't ask again", "No"]);
    expect(labels(2)).toEqual([]);
  });

  it.each([
    [
      "answered",
      { stopped: true, evidence: "it was interrupted" },
      "✅ Denied and stopped, by Ara: it was interrupted",
    ],
    [
      "answered",
      { stopped: false, evidence: "it asks something else" },
      "⚠️ By Ara: denied; not stopped (it asks something else). Check the terminal.",
    ],
    [
      "uncertain",
      { stopped: true, evidence: "it was interrupted" },
      "❔ By Ara: the denial was sent but not confirmed; stopped (it was interrupted). Check the terminal.",
    ],
    [
      "uncertain",
      { stopped: false, evidence: "it asks something else" },
      "⚠️ By Ara: the denial was sent but not confirmed; not stopped (it asks something else). Check the terminal.",
    ],
    [
      "failed",
      undefined,
      "⚠️ Deny and stop, by Ara: not applied (the dialog closed). Nothing was confirmed.",
    ],
    [
      "taken",
      { stopped: true, evidence: "it was interrupted" },
      "✅ By Ara: the denial was taken by claude; stopped (it was interrupted)",
    ],
    [
      "taken",
      { stopped: false, evidence: "it asks something else" },
      "⚠️ By Ara: the denial was taken by claude; not stopped (it asks something else). Check the terminal.",
    ],
  ] as const)("settles with the truth about both steps: %s, %j", async (outcome, stop, text) => {
    const rig = await makeRig();
    const event = await rig.raise(STOPPABLE);
    await rig.chat.tap(rig.chat.cards()[0]!, "stop");
    expect(rig.chat.lastAnswer).toBe("Deny and stop: accepted for claude");
    expect(rig.link.replies[0]).toMatchObject({ value: "stop", channelIdentity: "chat:1" });
    await rig.begin(event);
    const proven = outcome === "taken" ? ({ outcome: "answered", proof: "read" } as const) : { outcome };
    await rig.end(event, { ...proven, ...(stop && { stop }) });
    await turns();
    expect(rig.chat.cards()[0]?.outcome?.text).toBe(text);
  });
});
