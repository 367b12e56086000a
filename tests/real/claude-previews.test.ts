/** A question of the real claude whose options have previews: a digit only marks its row there, and Enter takes it. */
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { installClaude } from "../support/real-cli/claude.js";
import type { ClaudeDialog } from "../support/rig/claude-dialogs.js";
import { withHookedClaude } from "../support/rig/claude-hooked.js";

const installed = await installClaude();
const CONFIRMED = /^✅ .*, by Ara, (?:confirmed|taken by claude)$/;
/** Longer than what a wrong second card would take to come. */
const STRAYS_WITHIN_MS = 4000;

const DIALOGS: readonly ClaudeDialog[] = [
  {
    name: "previews",
    scenario: "ask-preview",
    drawn: /Which layout[\s\S]+Enter to select/,
    question: "Which layout do you prefer?",
    content: [],
    rows: ["Sidebar", "Topbar"],
  },
  {
    name: "wrapped labels",
    scenario: "ask-preview-wrapped",
    drawn: /How shall the old[\s\S]+Enter to select/,
    question: "How shall the old commands be kept?",
    content: [],
    rows: [
      "Rename and keep the old ones as hidden aliases (Recommended)",
      "Rename, and remove the old ones in the next release",
      "Do nothing",
    ],
  },
];
const SIZES = [
  { cols: 80, rows: 24 },
  { cols: 100, rows: 30 },
  { cols: 120, rows: 40 },
];
const CASES = DIALOGS.flatMap((dialog) =>
  SIZES.flatMap((size) =>
    [[], ["--no-hooks"]].flatMap((flags) =>
      dialog.rows.map((label, at) => ({
        title: `${dialog.name}, ${size.cols}×${size.rows}, ${flags[0] ?? "with hooks"}, answer ${at + 1}`,
        ...{ dialog, size, flags, label, row: at + 1 },
      })),
    ),
  ),
);

describe.skipIf(!installed.ok)("a question with previews", () => {
  it.each(CASES)("$title: one card, and the answer is submitted", ({ dialog, size, flags, label, row }) =>
    withHookedClaude(installed.ok ? installed.modules : "", async (open) => {
      const session = await open(dialog, { size, flags });
      const card = await session.run.card();
      await card.press(row);
      expect(await card.settled()).toMatch(CONFIRMED);
      await session.finished();
      expect(session.results.at(-1)?.text).toContain(label);
      await pause(STRAYS_WITHIN_MS);
      expect(session.run.cards.slice(1).map(({ text }) => text)).toEqual([]);
    }),
  );
});
