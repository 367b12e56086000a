/**
 * A card still answers the real claude after a person has waited twenty minutes, by its hook or, once claude has dropped the
 * hook, by keys.
 */
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { installClaude } from "../support/real-cli/claude.js";
import { HOOKED, type HookedDialog, shortenHooks, withHookedClaude } from "../support/rig/claude-hooked.js";
import type { ClaudeSession } from "../support/rig/claude-session.js";
import type { Card } from "../support/rig/phone.js";

const installed = await installClaude();
const modules = installed.ok ? installed.modules : "";
const CONFIRMED = /^✅ .*, by Ara, (?:confirmed|taken by claude)$/;
const SIX_MINUTES_MS = 6.1 * 60_000;
const TWENTY_MINUTES_MS = 20.5 * 60_000;
/** Soon dropped, so that the person comes late to the dialog and not only to the hook. */
const DROPPED_AFTER_SECONDS = 30;

/** All of them wait side by side; each is opened on its own, for a start takes the machine for seconds. */
const LATE = HOOKED.filter(({ name }) => ["bash", "edit", "ask", "plan"].includes(name)).flatMap((dialog) =>
  [SIX_MINUTES_MS, TWENTY_MINUTES_MS].map((afterMs) => ({ ...dialog, afterMs })),
);

let starts: Promise<unknown> = Promise.resolve();

function oneByOne<Result>(start: () => Promise<Result>): Promise<Result> {
  const mine = starts.then(start);
  starts = mine.catch(() => undefined);
  return mine;
}

async function approveLate(
  { approved, afterMs }: HookedDialog & { readonly afterMs: number },
  session: ClaudeSession,
  card: Card,
  tap: (card: Card) => Promise<unknown>,
): Promise<void> {
  await pause(afterMs);
  await tap(card);
  expect(await card.settled()).toMatch(CONFIRMED);
  await approved(session);
}

describe.skipIf(!installed.ok).concurrent("a late answer to the real claude", () => {
  it.each(LATE)("$name: goes to the hook that still waits after $afterMs ms", (dialog) =>
    withHookedClaude(modules, async (open) => {
      const session = await oneByOne(() => open(dialog));
      await approveLate(dialog, session, await session.run.card(), dialog.tap);
      expect(session.run.cards).toHaveLength(1);
    }),
  );

  it.each(LATE)(
    "$name: goes in by keys where the tool has dropped the hook, $afterMs ms after that",
    (dialog) =>
      withHookedClaude(modules, async (open, rig) => {
        shortenHooks(rig, DROPPED_AFTER_SECONDS);
        const session = await oneByOne(() => open(dialog));
        const dropped = await session.run.card();
        expect(await dropped.settled(2 * DROPPED_AFTER_SECONDS * 1000)).toMatch(
          /^↪️ Replaced by another prompt/,
        );
        const [tap] = dialog.screenTaps;
        if (!tap) throw new Error("nobody knows the dialog's rows");
        await approveLate(dialog, session, await session.run.card(2), tap);
        expect(session.run.cards).toHaveLength(2);
      }),
  );
});
