/** Each dialog of the real claude with its hooks, and each way in which it can end: the right effect, and cards that tell the truth. */
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { eventually } from "../support/hub-home.js";
import { installClaude } from "../support/real-cli/claude.js";
import { KEYS } from "../support/real-cli/terminal.js";
import { HOOKED, shortenHooks, withHookedClaude } from "../support/rig/claude-hooked.js";
import type { ClaudeSession } from "../support/rig/claude-session.js";

const installed = await installClaude();
const modules = installed.ok ? installed.modules : "";
const CONFIRMED = /^✅ .*, by Ara, (?:confirmed|taken by claude)$/;
const AT_TERMINAL = /^⌨️ .* at the terminal$/;
/** Also of a tap that was on its way by then. */
const BY_KEYBOARD = /answered at the terminal|not applied/i;
/** Nobody claims to know what became of the answer. */
const UNPROVEN = /sent to claude, but not confirmed/;
/** What claude tells the model of a call that was not allowed. */
const REFUSED = /doesn't want to proceed|declined to answer|rejected/i;
const TINY = { cols: 45, rows: 20 };
/** Of what is too large for a tiny screen, the last row. */
const TINY_DRAWN = /Esc to cancel|\(esc\)|Enter to select|Tell Claude/;
/** Longer than what a wrong second card would take to come and go. */
const STRAYS_WITHIN_MS = 3000;

const plain = (text: string): string => text.replace(/["`]/g, "");

/** No second question came of this one, not even for a moment. */
async function expectOneCard(session: ClaudeSession): Promise<void> {
  await pause(STRAYS_WITHIN_MS);
  expect(session.run.cards.slice(1).map(({ text }) => text)).toEqual([]);
}

describe.skipIf(!installed.ok)("every dialog of the real claude with its hooks", () => {
  it.each(HOOKED)("$name: the phone answers, without a key", (dialog) =>
    withHookedClaude(modules, async (open, rig) => {
      const session = await open(dialog);
      const card = await session.run.card();
      await dialog.tap(card);
      expect(await card.settled()).toMatch(CONFIRMED);
      await dialog.approved(session);
      await expectOneCard(session);
      const [asked] = await rig.prompts();
      expect(asked?.state).toBe("answered");
    }),
  );

  it.each(HOOKED)("$name: on a tiny screen the phone has the whole content", (dialog) =>
    withHookedClaude(modules, async (open) => {
      const session = await open({ ...dialog, drawn: TINY_DRAWN }, { size: TINY });
      const card = await session.run.card();
      expect(card.isMarkedCut).toBe(false);
      // Dialogs draw names and code in their own way; the call has them as they are.
      const shown = plain(`${card.text}\n${card.content}`);
      for (const part of dialog.content.filter((each) => !each.includes("ops —")))
        expect(shown).toContain(plain(part));
      await dialog.tap(card);
      expect(await card.settled()).toMatch(CONFIRMED);
      await dialog.approved(session);
      await expectOneCard(session);
    }),
  );

  it.each(HOOKED)("$name: the keyboard answers, and a late tap does nothing", (dialog) =>
    withHookedClaude(modules, async (open) => {
      const session = await open(dialog);
      const card = await session.run.card();
      const [first = ""] = card.tokens;
      for (const key of dialog.keys) {
        await session.terminal.settled();
        session.terminal.press(key);
      }
      expect(await card.settled()).toMatch(AT_TERMINAL);
      if (first !== "") expect(await card.pressOld(first)).toMatch(/answered at the terminal/i);
      await dialog.approved(session);
    }),
  );

  it.each(HOOKED)("$name: phone and Esc at once, and the card never says who did not win", (dialog) =>
    withHookedClaude(modules, async (open) => {
      const session = await open(dialog);
      const card = await session.run.card();
      await session.terminal.settled();
      const tapped = dialog.tap(card);
      session.terminal.press(KEYS.esc);
      await tapped;
      const told = await card.settled();
      await session.talkOn();
      const [last] = session.results.slice(-1);
      // An Esc behind the approval stops what was approved.
      if (CONFIRMED.test(told)) expect(last?.text).not.toMatch(REFUSED);
      else if (!UNPROVEN.test(told)) {
        expect(told).toMatch(BY_KEYBOARD);
        expect(last).toMatchObject({ isError: true });
        expect(session.timesRun).toBe(0);
      }
    }),
  );

  it.each(
    HOOKED.flatMap(({ other, ...dialog }) =>
      // Most taps take longer than the key, some about as long.
      other ? [1, 60, 150].map((afterMs) => ({ ...dialog, other, afterMs })) : [],
    ),
  )(
    "$name: the phone's answer and, $afterMs ms later, another one at the keyboard: one counts, and the card never says the other",
    ({ other, afterMs, ...dialog }) =>
      withHookedClaude(modules, async (open) => {
        const session = await open(dialog);
        const card = await session.run.card();
        await session.terminal.settled();
        const tapped = dialog.tap(card);
        await pause(afterMs);
        session.terminal.press(other.key);
        await tapped;
        const told = await card.settled();
        if (CONFIRMED.test(told)) await dialog.approved(session);
        else if (!UNPROVEN.test(told)) {
          expect(told).toMatch(BY_KEYBOARD);
          await other.effect(session);
        }
      }),
  );

  it.each(HOOKED)(
    "$name: claude drops the hook; what its dialog shows is asked anew, and keys answer",
    (dialog) =>
      withHookedClaude(modules, async (open, rig) => {
        shortenHooks(rig, 4);
        const session = await open(dialog);
        const first = await session.run.card();
        expect(await first.settled()).toMatch(/another prompt|changed|withdrawn|screen/i);
        for (const [index, tap] of dialog.screenTaps.entries()) {
          const card = await session.run.card(index + 2);
          await tap(card);
          expect(await card.settled()).toMatch(CONFIRMED);
        }
        await dialog.approved(session);
      }),
  );

  it.each(HOOKED)(
    "$name: a hub killed with -9 changes nothing for claude, and the same card answers",
    (dialog) =>
      withHookedClaude(modules, async (open, rig) => {
        const session = await open(dialog);
        const card = await session.run.card();
        const killed = await rig.killHub();
        expect(await rig.hubPid()).not.toBe(killed);
        expect(session.terminal.screen).toMatch(dialog.drawn);
        await dialog.tap(card);
        expect(await card.settled()).toMatch(CONFIRMED);
        await dialog.approved(session);
        expect(session.run.cards).toHaveLength(1);
      }),
  );

  it.each(HOOKED)(
    "$name: with a worker killed with -9 claude ends, nothing is approved, and the card says so",
    (dialog) =>
      withHookedClaude(modules, async (open) => {
        const session = await open(dialog);
        const card = await session.run.card();
        const before = session.results.length;
        process.kill(session.terminal.pid, "SIGKILL");
        expect(await card.settled()).toContain("process for this session has exited");
        await eventually(() => session.terminal.exited.then(() => true));
        expect(session.results.length).toBe(before);
        expect(session.timesRun).toBe(0);
      }),
  );
});
