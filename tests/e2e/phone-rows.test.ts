/** Every row of each recorded claude dialog, tapped on the phone at 120x40 and at 80x24, is answered as that row. */
import { describe, expect, it } from "vitest";
import {
  type ClaudeDialog,
  DIALOGS,
  listKeys,
  nameOfSize,
  SIZES,
  WORDS,
} from "../support/rig/claude-dialogs.js";
import type { TerminalSize } from "../support/real-cli/terminal.js";
import { expectShown } from "../support/rig/expect-shown.js";
import type { Card } from "../support/rig/phone.js";
import { Replay } from "../support/rig/replay.js";
import { type Rig, withRig } from "../support/rig/rig.js";

/** Taps the row; a row that needs a text asks for it, and one that allows more than this once takes the number of the terminal. */
async function take({ run }: Replay, card: Card, dialog: ClaudeDialog, row: number): Promise<void> {
  const told = await run.pressRow(card, row);
  if (row === dialog.textRow) {
    expect(told).toBe("");
    await card.replyWhereAsked(WORDS);
  } else expect(told).toMatch(/: accepted for claude$|needs the number/);
}

/** One session that shows the dialog once for each of its rows. */
async function takeEveryRow(rig: Rig, dialog: ClaudeDialog, size: TerminalSize): Promise<void> {
  // The first row of the trust dialog ends claude, hence last.
  const rows = dialog.rows.map((_, index) => index + 1).reverse();
  const replay = Replay.start(
    rig,
    rows.map(() => dialog.name),
    size,
  );
  for (const [index, row] of rows.entries()) {
    const card = await replay.run.card(index + 1);
    expectShown(card, dialog);
    await take(replay, card, dialog, row);
    expect(await card.settled(), nameOfSize(size)).toMatch(/^✅ .*, by Ara/);
    await replay.answered(index + 1);
    expect(replay.taken.at(-1)).toEqual(listKeys(dialog, row));
  }
  expect(replay.taken).toHaveLength(rows.length);
}

/** The longest first: they run side by side. */
const dialogs = DIALOGS.toSorted((a, b) => b.rows.length - a.rows.length);

describe.concurrent("every row of a recorded claude dialog, tapped on the phone, at 120x40 and 80x24", () => {
  it.each(dialogs)("$name", async (dialog) => {
    // One after the other: more sessions than that at a time keep one another from being seen.
    for (const size of SIZES) await withRig((rig) => takeEveryRow(rig, dialog, size));
  });
});
