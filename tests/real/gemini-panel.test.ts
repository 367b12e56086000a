/**
 * The real gemini: a command that it runs asks something in its panel and waits for its own terminal. That is told, and answered at
 * the terminal only; a command that is merely silent for long is not told.
 */
import { describe, expect, it } from "vitest";
import { shell } from "../support/corpus/gemini/moves.js";
import { KEYS } from "../support/real-cli/terminal.js";
import type { MatrixDialog, SizeName } from "../support/matrix/matrix.js";
import { geminiMatrix as gemini } from "../support/matrix/gemini.js";
import { ToolSession } from "../support/matrix/tool-session.js";
import { type Rig, withRig } from "../support/rig/rig.js";
import { notLinux, skipped } from "../support/skipped.js";

const installed = await gemini.tool.install();
const modules = installed.ok ? installed.modules : "";
/** Gemini says that its command may wait after five silent seconds. */
const SILENT = 'echo "Overwrite notes.txt? [y/N]"; sleep 14';
const ASKS = 'read -p "Overwrite notes.txt? [y/N] " answer; echo "got <$answer>"';

const panel = (command: string): MatrixDialog => ({
  name: "panel",
  model: [{ text: "I overwrite it.", tools: [shell(command)] }],
  question: /Allow execution of \[Shell\]\?/,
  choices: [],
});

async function allowed(rig: Rig, command: string, size: SizeName): Promise<ToolSession> {
  const session = await ToolSession.start(rig, { table: gemini, dialog: panel(command), modules, size });
  await session.ask();
  const card = await session.card();
  await card.press(1);
  await card.settled();
  return session;
}

describe.skipIf(!installed.ok || skipped(notLinux))("a command of gemini's that asks in its panel", () => {
  it("is told, takes nothing from afar, and is answered at the terminal", { timeout: 240_000 }, () =>
    withRig(async (rig) => {
      const session = await allowed(rig, ASKS, "80x24");
      const card = await session.card(2);
      expect(card.text).toContain("gemini may be waiting for you");
      expect(card.text).toContain("Overwrite notes.txt? [y/N]");
      expect(card.buttons.filter((button) => !button.includes("Screen"))).toEqual([]);
      card.reply("text:y");
      await rig.phone.notice(/can only be answered at the terminal/);
      // The mark of a panel that has the keys blinks for ever: it never comes to rest. It is drawn so before keys go there.
      session.terminal.press(KEYS.tab);
      await session.terminal.waitFor(/to unfocus/);
      await card.settled();
      session.terminal.press("y");
      await session.terminal.waitFor(/\[y\/N\] y/);
      session.terminal.press(KEYS.enter);
      await session.terminal.waitFor(/got <y>/);
      await session.close();
    }),
  );

  it("is not told where it is only silent", { timeout: 240_000 }, () =>
    withRig(async (rig) => {
      const session = await allowed(rig, SILENT, "80x24");
      await session.terminal.waitFor(/Shell awaiting input/);
      await session.terminal.waitFor(/All done\./);
      expect(session.run.cards).toHaveLength(1);
      await session.close();
    }),
  );
});
