/** The modes and actions of rules with a real hub, a real tool in a terminal, and a phone: what is typed, by whom, and what people read. */
import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { ListedPrompt } from "../../src/wire/listings.js";
import { eventually } from "../support/hub-home.js";
import { DIALOGS, keysToAmend, WORDS } from "../support/rig/claude-dialogs.js";
import { Replay } from "../support/rig/replay.js";
import { withRig, type Rig } from "../support/rig/rig.js";

const SCRIPT = `printf 'Deploy to production? [y/N] '; read a; echo "got <$a>"`;
const DEPLOY = "  - { id: deploy, match: { tool: sh, text: 'Deploy to' }, answer: allow_once }\n";

const withPolicy = (head: string, rules: string, work: (rig: Rig) => Promise<void>) =>
  withRig(async (rig) => {
    writeFileSync(rig.home.paths.policy, `version: 1\n${head}\nrules:\n${rules}`);
    await work(rig);
  });

const readOnly = async (rig: Rig) => (await rig.home.data<ListedPrompt[]>("prompts", "--all"))[0];
const answered = (rig: Rig) =>
  eventually(async () => {
    const prompt = await readOnly(rig);
    return prompt?.state === "answered" ? prompt : null;
  });

describe.concurrent("in mode assist", () => {
  it("a rule's answer is shown with its time, and typed when nobody stops it", () =>
    withPolicy("mode: assist\ncountdown: 2s", DEPLOY, async (rig) => {
      const run = rig.run(["sh", "-c", SCRIPT]);
      const card = await run.card();
      expect(card.text).toContain("Rule deploy answers Yes");
      await run.terminal.waitFor(/got <y>/);
      await answered(rig);
      expect(await card.settled()).toMatch(/^✅ Yes, by the policy \(rule deploy\)/);
    }));

  it("a tap during the countdown decides, and the rule types nothing", () =>
    withPolicy("mode: assist\ncountdown: 10m", DEPLOY, async (rig) => {
      const run = rig.run(["sh", "-c", SCRIPT]);
      const card = await run.card();
      await card.press(2);
      await run.terminal.waitFor(/got <n>/);
      expect(await card.settled()).toMatch(/No, by Ara/);
    }));

  it("a person stops the countdown, and only people answer then", () =>
    withPolicy("mode: assist\ncountdown: 10m", DEPLOY, async (rig) => {
      const run = rig.run(["sh", "-c", SCRIPT]);
      const card = await run.card();
      const { shortId = "" } = (await readOnly(rig)) ?? {};
      rig.phone.user.send(`hold ${shortId}`);
      await rig.phone.notice(/^✋ No rule answers \S+ now\.$/);
      expect((await readOnly(rig))?.state).toBe("pending");
      await card.press(1);
      await run.terminal.waitFor(/got <y>/);
      expect(await card.settled()).toMatch(/Yes, by Ara/);
    }));
});

it("in mode off no rule answers", () =>
  withPolicy("mode: off", DEPLOY, async (rig) => {
    const run = rig.run(["sh", "-c", SCRIPT]);
    const card = await run.card();
    await card.press(2);
    await run.terminal.waitFor(/got <n>/);
  }));

const FORBID = "  - { id: forbid, match: { text: 'Deploy to' }, deny: true }\n";

describe.concurrent("a rule that denies", () => {
  it("types its message with the no, where the tool takes words", () =>
    withPolicy("mode: full", `  - { id: forbid, deny: "${WORDS}" }\n`, async (rig) => {
      const replay = Replay.start(rig, ["bash"]);
      await replay.answered(1);
      expect(replay.taken).toEqual([keysToAmend(DIALOGS.find(({ name }) => name === "bash")!)]);
      expect((await answered(rig)).safetyClass).toBe("permission");
      expect(rig.phone.cards).toEqual([]);
    }));

  it("in mode assist: its no is shown with its time, and typed when nobody stops it", () =>
    withPolicy("mode: assist\ncountdown: 2s", FORBID, async (rig) => {
      const run = rig.run(["sh", "-c", SCRIPT]);
      const card = await run.card();
      expect(card.text).toContain("Rule forbid answers No");
      await run.terminal.waitFor(/got <n>/);
      expect(await card.settled()).toMatch(/^✅ No, by the policy \(rule forbid\)/);
    }));

  it("in mode off: people decide, and the audit says that the rule did not", () =>
    withPolicy("mode: off", FORBID, async (rig) => {
      const run = rig.run(["sh", "-c", SCRIPT]);
      const card = await run.card();
      expect(card.text).not.toContain("forbid");
      expect(rig.record.find((line) => line.includes(" prompt_asked "))).toContain(
        '"held":{"rule":"forbid","why":"the mode is off"}',
      );
      await card.pressAnswer("Yes");
      await run.terminal.waitFor(/got <y>/);
    }));
});

describe.concurrent("a rule that only notifies", () => {
  it.each(["full", "assist", "off"])(
    "in mode %s: the answer is given at the terminal, and nowhere else",
    (mode) =>
      withPolicy(`mode: ${mode}`, "  - { id: tell, notify: true }\n", async (rig) => {
        const run = rig.run(["sh", "-c", SCRIPT]);
        const card = await run.card();
        expect(card.text).toContain("Rule tell: this is to be answered at the terminal.");
        expect(card.buttons).toEqual([]);
        rig.phone.user.send(`answer ${card.shortId} y`);
        await rig.phone.notice(/terminal/);
        expect((await readOnly(rig))?.state).toBe("pending");
        run.terminal.press("n\r");
        await run.terminal.waitFor(/got <n>/);
        expect(await card.shows(/^⌨️/)).toBe("⌨️ No, at the terminal");
      }),
  );
});

describe.concurrent("a rule that asks", () => {
  it("gives the safe default to a prompt that nobody has answered in time", () =>
    withPolicy(
      "mode: full",
      "  - { id: short, ask: { expires: 2s, on_expiry: safe_default } }\n",
      async (rig) => {
        const run = rig.run(["sh", "-c", SCRIPT]);
        const card = await run.card();
        await run.terminal.waitFor(/got <n>/);
        expect(await card.settled()).toMatch(/^✅ No, by the timeout/);
      },
    ));

  it("only on this machine sends no buttons to a phone", () =>
    withPolicy("mode: full", "  - { id: here, ask: { local_only: true } }\n", async (rig) => {
      const run = rig.run(["sh", "-c", SCRIPT]);
      const { text } = await run.card();
      expect(text).toMatch(
        /to be answered at the terminal, or with .atlasbridge answer \S+ …. on its machine/,
      );
      const buttons = rig.telegram.posts(rig.phone.user.id).flatMap((post) => post.buttons.flat());
      expect(buttons.map((button) => button.text)).toEqual(["🖥 Screen"]);
      const { shortId = "" } = (await readOnly(rig)) ?? {};
      rig.phone.user.send(`answer ${shortId} y`);
      await rig.phone.notice(/only|terminal|machine/);
      expect((await readOnly(rig))?.state).toBe("pending");
      expect((await rig.home.run("answer", shortId, "n")).code).toBe(0);
      await run.terminal.waitFor(/got <n>/);
    }));
});
