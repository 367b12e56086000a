/**
 * While the window of a real CLI changes its size, a card gives way only to one of the same dialog in other rows, and the answer to the last card
 * reaches the dialog, once.
 */
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { MAKE_FILE } from "../support/fake-model/scenarios.js";
import type { MatrixDialog, MatrixTool } from "../support/matrix/matrix.js";
import { ToolSession } from "../support/matrix/tool-session.js";
import { TABLES } from "../support/matrix/tools.js";
import { installClaude } from "../support/real-cli/claude.js";
import { DIALOGS } from "../support/rig/claude-dialogs.js";
import { withHookedClaude } from "../support/rig/claude-hooked.js";
import { withRig } from "../support/rig/rig.js";

const SIZES = [
  { cols: 100, rows: 30 },
  { cols: 66, rows: 30 },
  { cols: 116, rows: 40 },
  { cols: 93, rows: 24 },
  { cols: 80, rows: 24 },
];
/** Longer than a dialog takes to be drawn anew and raised. */
const REDRAWN_MS = 1500;
const CONFIRMED = /^✅ .*, by Ara/;
const LONG = `echo "the words of this command are wrapped in a window of any size" && printf 'a  b' && ${MAKE_FILE}`;

type Session = Pick<ToolSession, "run" | "terminal" | "finished" | "timesRun">;

/** Takes the first row of the last card after the window had all sizes. */
async function answerResized(session: Session): Promise<void> {
  for (const size of SIZES) {
    session.terminal.resize(size);
    await pause(REDRAWN_MS);
    await session.terminal.settled();
  }
  const [last, ...earlier] = session.run.cards.toReversed();
  if (!last) throw new Error("there is no card");
  for (const card of earlier) expect(await card.settled()).not.toMatch(CONFIRMED);
  await session.run.pressRow(last, 1);
  expect(await last.settled()).toMatch(CONFIRMED);
  await session.finished();
  expect(session.timesRun).toBe(1);
}

function findCommand({ dialogs }: MatrixTool): MatrixDialog {
  const dialog = dialogs.find(({ name }) => name === "command");
  if (!Array.isArray(dialog?.model)) throw new Error("no command in the table");
  return dialog;
}

function lengthen(dialog: MatrixDialog): MatrixDialog {
  const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
  const model = JSON.stringify(dialog.model).replaceAll(inJson(MAKE_FILE), inJson(LONG));
  return { ...dialog, model: JSON.parse(model) as NonNullable<MatrixDialog["model"]> };
}

for (const table of TABLES) {
  const { name } = table.tool;
  const installed = await table.tool.install();
  const short = findCommand(table);
  describe.skipIf(!installed.ok)(`the real ${name}`, () => {
    it.each([short, lengthen(short)])(
      "is answered from its last card after all sizes of the window: %#",
      (dialog) =>
        withRig(async (rig) => {
          const modules = installed.ok ? installed.modules : "";
          const session = await ToolSession.start(rig, { table, modules, dialog, size: "80x24" });
          try {
            await session.ask();
            await session.card();
            await answerResized(session);
          } finally {
            await session.close();
          }
        }),
    );
  });
}

const claude = await installClaude();
describe.skipIf(!claude.ok)("the real claude", () => {
  it.each([[[]], [["--no-hooks"]]])(
    "is answered from its last card after all sizes of the window, for a long command: %j",
    (flags) =>
      withHookedClaude(claude.ok ? claude.modules : "", async (open) => {
        const dialog = DIALOGS.find(({ name }) => name === "bash-long");
        if (!dialog) throw new Error("no dialog of a long command");
        const session = await open({ ...dialog, drawn: /Do you want to proceed/ }, { flags });
        await session.run.card();
        await answerResized(session);
      }),
  );
});
