/**
 * Another program of the user paints over a dialog of the real claude: the card is the call's, and the answer goes to the call alone.
 * Without hooks the next card says so, and one tap types nothing.
 */
import { readlinkSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { eventually } from "../support/hub-home.js";
import { installClaude } from "../support/real-cli/claude.js";
import { DIALOGS } from "../support/rig/claude-dialogs.js";
import { withHookedClaude } from "../support/rig/claude-hooked.js";
import { listProcesses, readCommand } from "../support/rig/processes.js";
import { MAKE_FILE } from "../support/fake-model/scenarios.js";

const installed = await installClaude();
const bash = DIALOGS.find(({ name }) => name === "bash")!;
/** Longer than what a wrong second card would take to come. */
const STRAYS_WITHIN_MS = 4000;
/** `isOther`: the dialog then shows another call. Blanks and labels are not compared with the call, which is answered all the same. */
const PAINTED: readonly [what: string, row: string, paint: string, isOther: boolean][] = [
  ["the command", `   ${MAKE_FILE}`, "   ls -la", true],
  ["the command, with a blank less", ` ${MAKE_FILE}`, ` ${MAKE_FILE.replace(" ", "")}`, false],
  ["a label", "❯ 1. Yes", " ❯ 1. No", false],
];

/** The terminal that the tool has, not the one around us. */
function findToolTerminal(mark: string): string {
  const tool = listProcesses(mark).find((pid) => /claude/.test(readCommand(pid).split(" ")[1] ?? ""));
  return readlinkSync(`/proc/${tool ?? 0}/fd/0`);
}

describe.skipIf(!installed.ok)("a dialog of the real claude that is painted over", () => {
  it.each(PAINTED)("%s: one card, from the call, whose answer runs the call", (_, row, paint, isOther) =>
    withHookedClaude(installed.ok ? installed.modules : "", async (open, rig) => {
      const session = await open(bash);
      const card = await session.run.card();
      expect(card.text).toContain(MAKE_FILE);
      const at = session.terminal.screen.split("\n").findLastIndex((line) => line.includes(row.trim()));
      expect(at).toBeGreaterThan(0);
      writeFileSync(findToolTerminal(rig.home.folder), `\u001b7\u001b[${at + 1};1H${paint}\u001b[K\u001b8`);
      await eventually(() => session.terminal.screen.split("\n")[at]?.trim() === paint.trim());
      if (isOther) await eventually(() => card.message.text.includes("in which this call was not found"));
      await pause(STRAYS_WITHIN_MS);
      expect(session.run.cards.slice(1).map(({ text }) => text)).toEqual([]);
      await card.press(1);
      expect(await card.settled()).toMatch(/^✅ .*, by Ara, (?:confirmed|taken by claude)$/);
      await session.finished();
      expect(session.timesRun).toBe(1);
    }),
  );

  it("without hooks: the next card says so, and one tap types nothing", () =>
    withHookedClaude(installed.ok ? installed.modules : "", async (open, rig) => {
      const session = await open(bash, { flags: ["--no-hooks"] });
      const card = await session.run.card();
      expect(card.text).not.toContain("may have drawn over");
      const at = session.terminal.screen.split("\n").findLastIndex((line) => line.includes(MAKE_FILE));
      writeFileSync(findToolTerminal(rig.home.folder), `\u001b7\u001b[${at + 1};1H   ls -la\u001b[K\u001b8`);
      const painted = await session.run.card(2);
      expect(painted.text).toContain("may have drawn over");
      await painted.press(1);
      await eventually(() => painted.buttons.some((button) => button.includes("Maybe drawn over")));
      expect(session.timesRun).toBe(0);
      await painted.pressAnswer("No");
      expect(await painted.settled()).toContain("No");
      expect(session.timesRun).toBe(0);
    }));
});
