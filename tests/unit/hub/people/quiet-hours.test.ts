/** In quiet hours prompts are posted silently, and reminders wait for the end. */
import { describe, expect, it } from "vitest";
import { findQuietEnd } from "../../../../src/hub/people/quiet-hours.js";
import { ManualClock } from "../../../../src/observe/clock.js";
import { NO_POLICY } from "../../../../src/hub/policy/verdict.js";
import type { PromptEvent } from "../../../../src/model/prompt.js";
import { commandPrompt } from "../../../support/policy/policies.js";
import { turns } from "../fake-channel.js";
import { makeEvent, makeRig, SETTINGS } from "../rig.js";

const NIGHT = { from: "22:00", to: "07:30" };
/** Local time, as people write it into the file. */
const at = (day: number, hours: number, minutes = 0): number =>
  new Date(2026, 5, day, hours, minutes).getTime();

const findWords = ({ content }: PromptEvent) => (content.text.startsWith("rm ") ? "it deletes" : null);
const identify = (n: number) => {
  const { promptId, sessionId, idempotencyKey } = makeEvent(n);
  return { promptId, sessionId, idempotencyKey };
};

describe("quiet hours", () => {
  it.each([
    ["before them", NIGHT, at(1, 21, 59), null],
    ["from their first minute on", NIGHT, at(1, 22), at(2, 7, 30)],
    ["after midnight", NIGHT, at(2, 3), at(2, 7, 30)],
    ["their last minute", NIGHT, at(2, 7, 29), at(2, 7, 30)],
    ["their end", NIGHT, at(2, 7, 30), null],
    ["within one day", { from: "12:00", to: "13:00" }, at(1, 12, 30), at(1, 13)],
    ["within one day, outside", { from: "12:00", to: "13:00" }, at(1, 3), null],
    ["of no length", { from: "12:00", to: "12:00" }, at(1, 12), null],
    ["none", null, at(1, 3), null],
  ])("%s", (_, hours, now, end) => {
    expect(findQuietEnd(hours, now)).toBe(end);
  });

  it("let questions come without ringing, and keep reminders for their end", async () => {
    const clock = new ManualClock(at(1, 23));
    const prompts = { ...SETTINGS.prompts, expires_after: 0, remind_after: [5 * 60_000] };
    const rig = await makeRig({ clock, settings: { ...SETTINGS, prompts, quiet_hours: NIGHT } });
    await rig.raise();
    expect(rig.chat.cards()[0]!.notice).toMatchObject({ quiet: true, addressees: [] });
    // Looked at again at least every minute, as by a machine that slept.
    for (let minute = 0; minute < 8 * 60; minute += 1) clock.advance(60_000);
    await turns();
    expect(rig.chat.texts()).toEqual([]);
    for (let minute = 0; minute < 35; minute += 1) clock.advance(60_000);
    await turns();
    expect(rig.chat.texts()).toHaveLength(1);
    expect(rig.chat.messages.at(-1)!.notice).toMatchObject({ quiet: false, addressees: ["chat:1"] });
  });

  it("let prompts of urgent classes ring, and remind of them, and no others", async () => {
    const clock = new ManualClock(at(1, 23));
    const prompts = { ...SETTINGS.prompts, expires_after: 0, remind_after: [5 * 60_000] };
    const quiet_hours = { ...NIGHT, urgent: ["destructive"] } as const;
    const policy = { ...NO_POLICY, findDestruction: (event: PromptEvent) => findWords(event) };
    const rig = await makeRig({
      clock,
      settings: { ...SETTINGS, prompts, quiet_hours },
      policy: () => policy,
    });
    await rig.raise({ ...commandPrompt("npm test"), ...identify(1) }, 1);
    await rig.raise({ ...commandPrompt("rm -rf /srv"), ...identify(2) }, 2);
    expect(rig.chat.cards().map(({ notice }) => notice.quiet)).toEqual([true, false]);
    for (let minute = 0; minute < 6; minute += 1) clock.advance(60_000);
    await turns();
    expect(rig.chat.texts()).toEqual([expect.stringContaining("Allow this?") as string]);
    expect(rig.chat.messages.at(-1)!.notice).toMatchObject({ quiet: false, addressees: ["chat:1"] });
  });

  it("change nothing by day", async () => {
    const rig = await makeRig({
      clock: new ManualClock(at(1, 12)),
      settings: { ...SETTINGS, quiet_hours: NIGHT },
    });
    await rig.raise();
    expect(rig.chat.cards()[0]!.notice).toMatchObject({ quiet: false, addressees: ["chat:1"] });
  });
});
