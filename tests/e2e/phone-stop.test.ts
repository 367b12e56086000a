/**
 * “Deny and stop” answers no, interrupts the tool and says whether the interrupt worked. It presses no key into a prompt that
 * appears instead.
 */
import { describe, expect, it } from "vitest";
import { readDatabase } from "../property/hub/read-database.js";
import { eventually } from "../support/hub-home.js";
import { Habit } from "../support/rig/habits.js";
import { withRig, type Rig } from "../support/rig/rig.js";

const DOWN = "\u001b[B";
const ESC = "\u001b";
const STOPPABLE = 'interrupt: esc\nstates: { working: ["esc to interrupt"], idle: ["^>$"] }';

function worksOn(rig: Rig, does: string, more = STOPPABLE): Habit {
  return Habit.start(rig, "works-on", { taking: "arrows", options: [does], more });
}

describe.concurrent("deny and stop", () => {
  it("says no, then interrupts what the tool does next, in one decision on record", () =>
    withRig(async (rig) => {
      const tool = worksOn(rig, "works");
      const card = await tool.run.card();
      expect(await card.pressWords("Deny and stop")).toBe("Deny and stop: accepted for works-on");
      expect(await card.settled()).toBe("✅ Denied and stopped, by Ara: it was interrupted");
      expect(tool.took).toEqual(["No"]);
      expect(tool.received).toBe(`${DOWN}\r${ESC}`);
      const [prompt] = await rig.prompts();
      const steps = readDatabase<{ step: string; identity: string | null; details: string }>(
        rig.home.paths.database,
        "SELECT step, identity, details FROM audit WHERE identity IS NOT NULL ORDER BY position",
      );
      expect(prompt?.state).toBe("answered");
      expect(steps[0]?.details).toContain('"value":"stop"');
      expect(steps.at(-1)?.details).toContain('"stopped":true');
      expect(steps.map(({ step, identity }) => `${step} ${identity}`)).toEqual([
        "prompt_claimed telegram:1001",
        "injection_began telegram:1001",
        "injection_ended telegram:1001",
      ]);
    }));

  it("says that the tool stopped by itself, and presses nothing", () =>
    withRig(async (rig) => {
      const tool = worksOn(rig, "rests");
      await (await tool.run.card()).pressWords("Deny and stop");
      const card = await tool.run.card();
      expect(await card.settled()).toBe("✅ Denied and stopped, by Ara: it went to rest by itself");
      expect(tool.received).toBe(`${DOWN}\r`);
    }));

  it("says that a tool works on although its key was pressed", () =>
    withRig(async (rig) => {
      const tool = worksOn(rig, "stubborn");
      const card = await tool.run.card();
      await card.pressWords("Deny and stop");
      expect(await card.settled()).toMatch(
        /^⚠️ By Ara: denied; not stopped \(its key was pressed, and it works on\)/,
      );
      expect(tool.received).toBe(`${DOWN}\r${ESC}`);
    }));

  it("presses no key into a prompt that appears instead", () =>
    withRig(async (rig) => {
      const tool = worksOn(rig, "asks-on");
      const card = await tool.run.card();
      card.reply("stop");
      expect(await card.settled()).toMatch(/^⚠️ By Ara: denied; not stopped \(it asks something else\)/);
      const next = await tool.run.card(2);
      expect(tool.received).toBe(`${DOWN}\r`);
      await next.press(2);
      expect(await next.settled()).toBe("✅ No, by Ara, confirmed");
      await eventually(() => tool.took.length === 2);
      expect(tool.took).toEqual(["No", "No"]);
    }));

  it("is offered only where the adapter file names the key that interrupts and the prompt has a choice", () =>
    withRig(async (rig) => {
      const tool = worksOn(rig, "works", "");
      const card = await tool.run.card();
      await expect(card.pressWords("Deny and stop")).rejects.toThrow("has no button");
      card.reply("stop");
      await rig.phone.notice(/not one of the choices|number of the choice/);
      expect(tool.received).toBe("");
    }));
});
