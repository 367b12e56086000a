/** The real claude without hooks, its dialogs read from the screen: each row of each dialog, taken from the phone, does what it says, once. */
import { describe, expect, it } from "vitest";
import { installClaude } from "../support/real-cli/claude.js";
import { KEYS, type TerminalSize } from "../support/real-cli/terminal.js";
import { type ClaudeDialog, DIALOGS, nameOfSize, SIZES, WORDS } from "../support/rig/claude-dialogs.js";
import { EFFECTS } from "../support/rig/claude-effects.js";
import { ClaudeSession } from "../support/rig/claude-session.js";
import { expectShown } from "../support/rig/expect-shown.js";
import type { Card } from "../support/rig/phone.js";
import { type Rig, withRig } from "../support/rig/rig.js";

const installed = await installClaude();
const modules = installed.ok ? installed.modules : "";
const CONFIRMED = /^✅ .*, by Ara/;

const taps = DIALOGS.flatMap((dialog) =>
  dialog.rows.map((row, index) => ({ dialog, row: index + 1, name: `${dialog.name}: ${row}` })),
);
const bash = DIALOGS.find(({ name }) => name === "bash")!;

type Open = (dialog: ClaudeDialog, size?: TerminalSize) => Promise<ClaudeSession>;

/** A hub, a phone and a chat of its own for each test: a chat takes only so many messages a minute. */
async function withClaude(work: (open: Open, rig: Rig) => Promise<void>): Promise<void> {
  await withRig(async (rig) => {
    const sessions: ClaudeSession[] = [];
    let count = 0;
    const open: Open = async (dialog, size = SIZES[0]!) => {
      const label = `${dialog.name}-${nameOfSize(size)}-${++count}`;
      const claude = dialog.options ?? {};
      // Read from the screen alone and answered with keys, as every version can be. With hooks: claude-hooks.test.ts.
      const flags = ["--no-hooks"];
      const session = await ClaudeSession.start(rig, { modules, label, size, claude, flags });
      sessions.push(session);
      await session.bringUp(dialog);
      return session;
    };
    try {
      await work(open, rig);
    } finally {
      await Promise.all(sessions.map((session) => session.close()));
    }
  });
}

describe.skipIf(!installed.ok)("the real claude, answered from the phone with keys", () => {
  async function tap({ run }: ClaudeSession, card: Card, dialog: ClaudeDialog, row: number): Promise<void> {
    const told = await run.pressRow(card, row);
    if (row === dialog.textRow) {
      expect(told).toBe("");
      await card.replyWhereAsked(WORDS);
    } else expect(told).toMatch(/: accepted for claude$|needs the number/);
    expect(await card.settled()).toMatch(CONFIRMED);
  }

  describe("every row of every dialog, at 120x40 and 80x24", () => {
    it.each(taps)("$name", ({ dialog, row }) =>
      withClaude(async (open) => {
        await Promise.all(
          SIZES.map(async (size) => {
            const session = await open(dialog, size);
            const card = await session.run.card();
            expectShown(card, dialog);
            await tap(session, card, dialog, row);
            await EFFECTS[dialog.name]![row - 1]!(session);
          }),
        );
      }),
    );
  });

  describe("the keyboard and the phone", () => {
    it.each([
      ["a digit", "1", 1],
      ["Esc", KEYS.esc, 0],
    ])("%s at the keyboard settles the card, and a late tap types nothing", (_, key, runs) =>
      withClaude(async (open) => {
        const session = await open(bash);
        const card = await session.run.card();
        const [yes = ""] = card.tokens;
        await session.terminal.settled();
        session.terminal.press(key);
        expect(await card.settled()).toMatch(/^⌨️ (?:Yes,|Answered) at the terminal$/);
        expect(await card.pressOld(yes)).toMatch(/answered at the terminal/i);
        await session.talkOn();
        expect(session.timesRun).toBe(runs);
      }),
    );

    it("a second tap is told who answered", () =>
      withClaude(async (open) => {
        const session = await open(bash);
        const card = await session.run.card();
        const [, , , no = ""] = card.tokens;
        await tap(session, card, bash, 1);
        expect(await card.pressOld(no)).toMatch(/^Already answered by Ara;/);
        await session.finished();
        expect(session.timesRun).toBe(1);
      }));

    it("a highlight that was moved at the keyboard does not lead a tap astray", () =>
      withClaude(async (open) => {
        const session = await open(bash);
        const card = await session.run.card();
        session.terminal.press(KEYS.down);
        await session.terminal.waitFor(/❯ 2\. Yes/);
        await tap(session, card, bash, 4);
        await session.talkOn();
        expect(session.timesRun).toBe(0);
      }));
  });

  it("nothing is approved by a word", () =>
    withClaude(async (open, rig) => {
      const session = await open(bash);
      const card = await session.run.card();
      const words = ["yes", "y", "ok", "Yes", "not ok", "1 2", "approve"];
      const before = rig.phone.notices.length;
      for (const word of words) card.reply(word);
      await rig.telegram.waitFor(() => rig.phone.notices.length >= before + words.length, "replies", 30_000);
      await tap(session, card, bash, 4);
      await session.talkOn();
      expect(session.timesRun).toBe(0);
    }));

  it("of two equal calls one tap answers one", () =>
    withClaude(async (open) => {
      const session = await open({ ...bash, scenario: "bash-twins" });
      const first = await session.run.card();
      const [yes = ""] = first.tokens;
      await tap(session, first, bash, 1);
      const second = await session.run.card(2);
      expect(await first.pressOld(yes)).toMatch(/^Already answered by/);
      expect(session.timesRun).toBe(1);
      await tap(session, second, bash, 1);
      await session.finished();
      expect(session.timesRun).toBe(2);
    }));

  it("two sessions at once never get each other's answers", () =>
    withClaude(async (open) => {
      const pair = await Promise.all([open(bash), open(bash)]);
      const cards = await Promise.all(pair.map(({ run }) => run.card()));
      await Promise.all(pair.map((session, index) => tap(session, cards[index]!, bash, index === 0 ? 1 : 4)));
      await Promise.all([pair[0].finished(), pair[1].talkOn()]);
      expect(pair.map(({ timesRun }) => timesRun)).toEqual([1, 0]);
    }));

  it("a hub killed with -9 leaves claude alone, comes back, and the same card answers", () =>
    withClaude(async (open, rig) => {
      const session = await open(bash);
      const card = await session.run.card();
      const killed = await rig.killHub();
      expect(await rig.hubPid()).not.toBe(killed);
      expect(session.terminal.screen).toMatch(bash.drawn);
      await tap(session, card, bash, 1);
      await session.finished();
      expect(session.timesRun).toBe(1);
      expect(session.run.cards).toHaveLength(1);
    }));
});
