/** The message of a session that asks too often, with its two buttons, through a restart of the hub: “Go on” and “Deny all and stop”. */
import { describe, expect, it } from "vitest";
import { eventually } from "../support/hub-home.js";
import type { Message } from "../support/telegram/emulator.js";
import { JoinedRun } from "../support/rig/joined.js";
import { withRig, type Rig } from "../support/rig/rig.js";

const ASKS =
  'for n in 1 2 3 4; do printf "Delete file $n? [y/N] "; read a; echo "got $n <$a>"; done; sleep 60';
const ESC = "\u001b";
const HELD = "PROMPTS HELD BACK";
const BUTTONS = ["⛔ Deny all and stop", "▶️ Go on"];
const TWO_A_MINUTE = { prompts: { flood_limit: 2 } };

/** The message that says that prompts are held back. */
function findHeld({ telegram, phone }: Rig): Promise<Message> {
  const find = (): Message | undefined =>
    telegram.posts(phone.user.id).find(({ text }) => text.includes(" raised 3 prompts "));
  return telegram.waitFor(find, "the message that prompts are held back");
}

async function tap(rig: Rig, words: string): Promise<string> {
  const { id, buttons, text } = await findHeld(rig);
  const button = buttons.flat().find((each) => each.text.includes(words));
  if (!button) throw new Error(`no “${words}” under ${text}`);
  return (await rig.phone.user.pressToken(id, button.data).answered()).text;
}

const status = async (rig: Rig): Promise<string> => (await rig.home.run("status")).stdout;

describe.concurrent("a session that asks too often", () => {
  it("stays held back through a restart, and goes on at a tap", () =>
    withRig(async (rig) => {
      const run = rig.run(["sh", "-c", ASKS], { label: "api" });
      await (await run.card(1)).pressAnswer("Yes");
      await (await run.card(2)).pressAnswer("No");
      const { buttons } = await findHeld(rig);
      expect(buttons.flat().map(({ text }) => text)).toEqual(BUTTONS);
      expect(await status(rig)).toContain(HELD);
      await rig.home.run("hub", "stop");
      expect((await rig.home.run("hub", "start")).code).toBe(0);
      await eventually(async () => (await status(rig)).includes(HELD));
      rig.phone.user.send("status");
      expect(await rig.phone.notice(/Answers are accepted/)).toContain(
        "⏸ prompts held back: asked too often",
      );
      expect((await rig.home.run("prompts")).stdout).toContain("Delete file 3?");
      expect(run.cards).toHaveLength(2);
      expect(await tap(rig, "Go on")).toBe("▶️ Prompts are sent again; 1 prompt follows.");
      await rig.phone.notice(/^▶️ Goes on, by Ara/);
      expect((await findHeld(rig)).buttons).toEqual([]);
      const third = await run.card(3);
      expect(await status(rig)).not.toContain(HELD);
      await third.pressAnswer("Yes");
      expect(await third.settled()).toBe("✅ Yes, by Ara, confirmed");
      await (await run.card(4)).pressAnswer("No");
      await run.terminal.waitFor(/got 4 <n>/);
    }, TWO_A_MINUTE));

  it("is denied again by the same button when it asks on, and that is said", () =>
    withRig(async (rig) => {
      const run = rig.run(["sh", "-c", ASKS], { label: "api" });
      for (const n of [1, 2]) await (await run.card(n)).pressAnswer("Yes");
      expect(await tap(rig, "Deny all")).toBe("⛔ No was accepted for 1 prompt. ⏹ Stopping.");
      expect(await rig.phone.notice(/no was given/)).toBe(
        [
          "⛔ api: no was given to 1 of 1.",
          "⚠️ api was not stopped: it asks a question: answer that.",
          "What it asks is held back here. Write: deny all api, or: resume api",
        ].join("\n"),
      );
      expect(await tap(rig, "Deny all")).toBe("⛔ No was accepted for 1 prompt. ⏹ Stopping.");
      await run.terminal.waitFor(/got 3 <n>[^]*got 4 <n>/);
      expect(run.cards).toHaveLength(2);
    }, TWO_A_MINUTE));

  it("gets a no to each of its prompts, each with its own proof, and is interrupted after the last", () =>
    withRig(
      (rig) =>
        JoinedRun.with(rig, {}, async (tool) => {
          await tool.becomesKnown();
          const commands = ["touch one", "touch two", "touch three", "touch four"];
          tool.draws(commands[0]!);
          const ask = (n: number): void => tool.asks(n, commands[n - 1]!);
          [1, 2].forEach(ask);
          await tool.run.card(2);
          [3, 4].forEach(ask);
          await findHeld(rig);
          await eventually(async () => (await rig.prompts()).length === 4);
          expect(tool.run.cards).toHaveLength(2);
          expect(await tap(rig, "Deny all")).toBe("⛔ No was accepted for 4 prompts. ⏹ Stopping.");
          for (const n of [1, 2, 3, 4]) {
            await eventually(() => tool.server.answers.length === n);
            expect(tool.heard).toBe("");
            tool.goesOn(n);
          }
          await eventually(() => tool.heard === ESC);
          tool.rests();
          expect(await rig.phone.notice(/no was given/)).toBe(
            "⛔ joined: no was given to 4 of 4.\n⏹ joined: interrupted.",
          );
          const no = { decision: "decline" };
          expect(tool.server.answers).toEqual([1, 2, 3, 4].map((id) => ({ id, result: no })));
          expect((await rig.prompts()).map(({ state }) => state)).toEqual(Array(4).fill("answered"));
          const ended = rig.record.filter((line) => line.includes(" injection_ended "));
          expect(ended.filter((line) => line.includes('"outcome":"answered"'))).toHaveLength(4);
          expect(new Set(ended.map((line) => /"replyId":"([^"]+)"/.exec(line)?.[1])).size).toBe(4);
          const { text, buttons } = await findHeld(rig);
          expect(text).toContain(
            "⛔ No was accepted for 4 prompts. By Ara. Prompts stay held back until: go on",
          );
          expect(buttons.flat().map((button) => button.text)).toEqual(BUTTONS);
          expect(await status(rig)).toContain(HELD);
        }),
      TWO_A_MINUTE,
    ));
});
