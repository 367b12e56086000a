/** A session that asks too often: “deny all” gives its no first, then interrupts what the tool does, and tells both as they came to pass. */
import { expect, it } from "vitest";
import { Habit } from "../support/rig/habits.js";
import { withRig } from "../support/rig/rig.js";

const DOWN = "\u001b[B";
const ESC = "\u001b";
const STOPPABLE = 'interrupt: esc\nstates: { working: ["esc to interrupt"], idle: ["^>$"] }';

it("deny all gives the no, waits for it, and interrupts the tool only then", () =>
  withRig(
    async (rig) => {
      const tool = Habit.start(rig, "works-on", { taking: "arrows", options: ["asks-on"], more: STOPPABLE });
      await (await tool.run.card()).press(1);
      await rig.phone.notice(/^⏸ works-on raised 2 prompts/);
      rig.phone.user.send("deny all works-on");
      await rig.phone.notice(/No was accepted for 1 prompt\./);
      expect(await rig.phone.notice(/no was given/)).toBe(
        "⛔ works-on: no was given to 1 of 1.\n⏹ works-on: interrupted.",
      );
      expect(tool.took).toEqual(["Yes", "No"]);
      expect(tool.received).toBe(`\r${DOWN}\r${ESC}`);
    },
    { prompts: { deliver_after: "0s", flood_limit: 1 } },
  ));
