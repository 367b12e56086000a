/**
 * A prompt is answered once, from the keyboard, by a tap or in words, and its card says who gave which answer. A stranger, a
 * second tap and an expired card type nothing.
 */
import { describe, expect, it } from "vitest";
import { keysToAmend, DIALOGS, WORDS } from "../support/rig/claude-dialogs.js";
import { KEYS } from "../support/real-cli/terminal.js";
import { Replay } from "../support/rig/replay.js";
import { type Rig, withRig } from "../support/rig/rig.js";

const CONFIRMED = /^✅ .*, by Ara, confirmed$/;
/** A key that came so soon that the tool may have dropped it proves no choice. */
const AT_THE_TERMINAL = /^⌨️ (?:Answered|Yes,|No,) at the terminal$/;
const bashDialog = DIALOGS.find(({ name }) => name === "bash")!;

/** A session with one open Bash dialog, and its card. */
async function openBash(rig: Rig, dialogs: readonly string[] = ["bash"]) {
  const replay = Replay.start(rig, dialogs);
  const card = await replay.run.card();
  // As a person does, who reads before she types.
  await replay.run.terminal.settled();
  return { replay, card };
}

describe.concurrent("the keyboard and the phone", () => {
  it.each([
    ["a digit", ["4"]],
    ["Enter", [KEYS.enter]],
    ["Esc", [KEYS.esc]],
    ["an arrow and Enter", [KEYS.down, KEYS.enter]],
  ])("%s at the keyboard settles the card", (_, keys) =>
    withRig(async (rig) => {
      const { replay, card } = await openBash(rig);
      const [token = ""] = card.tokens;
      for (const key of keys) {
        replay.run.terminal.press(key);
        await replay.run.terminal.settled();
      }
      expect(await card.settled()).toMatch(AT_THE_TERMINAL);
      expect(await card.pressOld(token)).toMatch(/answered at the terminal/i);
      expect(replay.taken).toEqual([keys]);
      expect(replay.typed).toEqual(keys);
    }),
  );

  it("an arrow at the keyboard answers nothing, and a later tap still reaches its row", () =>
    withRig(async (rig) => {
      const { replay, card } = await openBash(rig);
      replay.run.terminal.press(KEYS.down);
      await replay.run.terminal.waitFor(/❯ 2\. Yes/);
      await card.press(4);
      expect(await card.settled()).toMatch(CONFIRMED);
      // This row is a text field while it is highlighted: a digit would be text there.
      expect(replay.typed).toEqual([KEYS.down, KEYS.down, KEYS.down, KEYS.enter]);
    }));

  it("a row that was edited at the keyboard is not answered from its card", () =>
    withRig(async (rig) => {
      const { replay, card } = await openBash(rig);
      replay.run.terminal.press(KEYS.down);
      await replay.run.terminal.waitFor(/❯ 2\. Yes/);
      replay.run.terminal.press("1");
      await replay.run.terminal.waitFor(/❯ 2\. Yes.*mktemp \*1/);
      await replay.run.pressWithNumber(card, 2);
      expect(await card.shows(/^⚠️/)).toMatch(/needs a text|not on the screen as it was shown/);
      expect(replay.typed).toEqual([KEYS.down, "1"]);
    }));

  it("a second tap is told who answered, and types nothing", () =>
    withRig(async (rig) => {
      const { replay, card } = await openBash(rig);
      const [yes = "", , , no = ""] = card.tokens;
      const told = await Promise.all([card.pressOld(yes), card.pressOld(no)]);
      expect(told[0]).toBe("Yes: accepted for claude");
      expect(told[1]).toMatch(/^Already answered by Ara;/);
      expect(await card.settled()).toMatch(CONFIRMED);
      expect(await card.pressOld(no)).toMatch(/^Already answered by Ara;/);
      expect(replay.typed).toEqual(["1"]);
    }));

  it("a stranger's tap is refused and changes nothing", () =>
    withRig(async (rig) => {
      const { replay, card } = await openBash(rig);
      const [yes = ""] = card.tokens;
      expect(await card.pressOld(yes, rig.stranger)).toMatch(/may not answer/);
      expect(card.tokens.slice(0, 4)).toContain(yes);
      await card.press(4);
      expect(await card.settled()).toMatch(CONFIRMED);
      expect(replay.typed).toEqual(["4"]);
    }));
});

describe.concurrent("answers in words", () => {
  it("only an exact number answers a list; yes, no and ok are told how to answer", () =>
    withRig(async (rig) => {
      const { replay, card } = await openBash(rig);
      for (const words of ["yes", "no", "ok", "not ok", "1 2"]) card.reply(words);
      await rig.telegram.waitFor(() => rig.phone.notices.length === 5, "five replies");
      for (const notice of rig.phone.notices) expect(notice).toMatch(/number of the choice/);
      expect(replay.typed).toEqual([]);
      card.reply("1");
      expect(await card.settled()).toMatch(CONFIRMED);
      expect(replay.typed).toEqual(["1"]);
    }));

  it("`answer <short id> <number>` answers without a reply to the card", () =>
    withRig(async (rig) => {
      const { replay, card } = await openBash(rig);
      rig.phone.user.send(`answer ${card.shortId} 4`);
      expect(await card.settled()).toMatch(CONFIRMED);
      expect(replay.typed).toEqual(["4"]);
    }));

  it("a number with words rejects with these words", () =>
    withRig(async (rig) => {
      const { replay, card } = await openBash(rig);
      card.reply(`4: ${WORDS}`);
      expect(await card.settled()).toMatch(CONFIRMED);
      expect(replay.taken).toEqual([keysToAmend(bashDialog)]);
    }));
});

describe.concurrent("a tap answers one prompt", () => {
  it("of two equal calls in a row each has its own card, and a tap answers one of them", () =>
    withRig(async (rig) => {
      const { replay, card } = await openBash(rig, ["twins"]);
      const [yes = ""] = card.tokens;
      await card.press(1);
      expect(await card.settled()).toMatch(CONFIRMED);
      const second = await replay.run.card(2);
      expect(await card.pressOld(yes)).toMatch(/^Already answered by/);
      expect(replay.typed).toEqual(["1"]);
      await second.press(1);
      expect(await second.settled()).toMatch(CONFIRMED);
      expect(replay.taken).toEqual([["1", "1"]]);
    }));

  it("nothing is typed when the screen moved between the tap and the keys, and the card says so", () =>
    withRig(async (rig) => {
      const { replay, card } = await openBash(rig);
      const { tool, worker } = await replay.pids();
      process.kill(worker, "SIGSTOP");
      const told = await card.press(1);
      process.kill(tool, "SIGUSR1");
      process.kill(worker, "SIGCONT");
      expect(told).toBe("Yes: accepted for claude");
      expect(await card.settled()).toMatch(/nothing was typed|Not applied/i);
      expect(replay.typed).toEqual([]);
    }));

  it("an expired card types nothing, and the terminal still answers", () =>
    withRig(
      async (rig) => {
        const replay = Replay.start(rig, ["bash"]);
        const card = await replay.run.card();
        const [yes = ""] = card.tokens;
        expect(await card.settled()).toBe("⌛ Expired; AtlasBridge typed nothing");
        expect(await card.pressOld(yes)).toMatch(/expired/);
        expect(replay.typed).toEqual([]);
        replay.run.terminal.press("1");
        await replay.answered(1);
      },
      { prompts: { expires_after: "5s" } },
    ));
});

describe.concurrent("a script's own question", () => {
  it("is raised and answered although the script reads its input much later", () =>
    withRig(async (rig) => {
      const script =
        "printf 'Continue? (y/n) '; sleep 1; read -r answer; echo \"got $answer\"; read -r enough";
      const run = rig.run(["sh", "-c", script]);
      const card = await run.card();
      expect(card.buttons).toEqual(["Yes", "No"]);
      await card.press(2);
      expect(await card.settled()).toMatch(CONFIRMED);
      await run.terminal.waitFor(/^got n$/m);
    }));
});
