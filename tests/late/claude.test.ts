/** A person who takes twenty minutes: the same card still answers the real claude, by its hook or, once that is dropped, by keys. */
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { installClaude } from "../support/real-cli/claude.js";
import { HOOKED, shortenHooks, withHookedClaude } from "../support/rig/claude-hooked.js";
import type { ClaudeSession } from "../support/rig/claude-session.js";
import type { Card } from "../support/rig/phone.js";

const installed = await installClaude();
const modules = installed.ok ? installed.modules : "";
const CONFIRMED = /^✅ .*, by Ara, confirmed$/;
const SIX_MINUTES_MS = 6.1 * 60_000;
const TWENTY_MINUTES_MS = 20.5 * 60_000;
/** Soon dropped, so that the person comes late to the dialog and not only to the hook. */
const DROPPED_AFTER_SECONDS = 30;

const [bash] = HOOKED;
if (!bash) throw new Error("no dialog");

async function approveLate(session: ClaudeSession, card: Card, afterMs: number): Promise<void> {
  await pause(afterMs);
  await card.press(1);
  expect(await card.settled()).toMatch(CONFIRMED);
  await session.finished();
  expect(session.timesRun).toBe(1);
}

describe.skipIf(!installed.ok).concurrent("a late answer to the real claude", () => {
  it.each([SIX_MINUTES_MS, TWENTY_MINUTES_MS])("goes to the hook that still waits after %i ms", (afterMs) =>
    withHookedClaude(modules, async (open) => {
      const session = await open(bash);
      const card = await session.run.card();
      await approveLate(session, card, afterMs);
      expect(session.run.cards).toHaveLength(1);
    }),
  );

  it.each([SIX_MINUTES_MS, TWENTY_MINUTES_MS])(
    "goes in by keys where the tool has dropped the hook, %i ms after that",
    (afterMs) =>
      withHookedClaude(modules, async (open, rig) => {
        shortenHooks(rig, DROPPED_AFTER_SECONDS);
        const session = await open(bash);
        const dropped = await session.run.card();
        expect(await dropped.settled(2 * DROPPED_AFTER_SECONDS * 1000)).toMatch(
          /^↪️ Replaced by another question/,
        );
        await approveLate(session, await session.run.card(2), afterMs);
        expect(session.run.cards).toHaveLength(2);
      }),
  );
});
