/** A draft in the input box of a real CLI: a task from the phone shows it, and clears exactly that once somebody says so. */
import { describe, expect, it } from "vitest";
import { codexMatrix } from "../support/matrix/codex.js";
import { geminiMatrix } from "../support/matrix/gemini.js";
import type { MatrixDialog } from "../support/matrix/matrix.js";
import { qwenMatrix } from "../support/matrix/qwen.js";
import { ToolSession } from "../support/matrix/tool-session.js";
import { installClaude } from "../support/real-cli/claude.js";
import type { RealTerminal } from "../support/real-cli/terminal.js";
import { ClaudeSession, INPUT_BOX } from "../support/rig/claude-session.js";
import { type Rig, withRig } from "../support/rig/rig.js";

const ROW_MS = 240_000;
const DRAFT = "remove all of it, even";
const CLEAR = "🧹 Replace it";
const ANSWERED = /This is a plain\s+answer\./;

const NOTHING_ASKED: MatrixDialog = { name: "none", model: [], question: /^/, choices: [] };

/** Gives the tool a task from the phone, and taps the button below the message that shows the draft. */
async function clearByPhone(rig: Rig, terminal: RealTerminal, name: string): Promise<void> {
  terminal.press(DRAFT);
  await terminal.waitFor(new RegExp(DRAFT));
  rig.phone.user.send(`task ${name} Go on [[plain]]`);
  const find = (text: string) =>
    rig.telegram.posts(rig.phone.user.id).find((each) => each.text.includes(text));
  const refused = await rig.telegram.waitFor(() => find(`input box (“${DRAFT}`), "the draft");
  expect(terminal.screen).toMatch(DRAFT);
  const row = refused.buttons.findIndex(([button]) => button?.text === CLEAR);
  rig.phone.user.press(refused.id, row, rig.phone.user.id);
  await rig.telegram.waitFor(() => find(": “Go on [[plain]]”\n\nTask by Ara"), "the task's end");
  await terminal.waitFor(ANSWERED);
}

for (const table of [codexMatrix, geminiMatrix, qwenMatrix]) {
  const installed = await table.tool.install();
  const modules = installed.ok ? installed.modules : "";
  describe.skipIf(!installed.ok)(`a draft in the real ${table.tool.name}`, { timeout: ROW_MS }, () => {
    it("is shown to the phone, and cleared by its tap before the task", () =>
      withRig(async (rig) => {
        const options = { table, modules, size: "80x24", dialog: NOTHING_ASKED } as const;
        const session = await ToolSession.start(rig, options);
        try {
          await session.composer();
          await clearByPhone(rig, session.terminal, table.tool.name);
          expect(session.hasHeard(DRAFT)).toBe(false);
        } catch (problem) {
          // Whoever reads of a failure has to see what the person saw.
          const seen = [session.account, "The notices:", ...rig.phone.notices].join("\n");
          throw new Error(`${problem instanceof Error ? problem.message : ""}\n${seen}`, { cause: problem });
        } finally {
          await session.close();
        }
      }));
  });
}

const claude = await installClaude();
describe.skipIf(!claude.ok)("a draft in the real claude", { timeout: ROW_MS }, () => {
  const withClaude = (work: (rig: Rig, session: ClaudeSession) => Promise<void>): Promise<void> =>
    withRig(async (rig) => {
      const modules = claude.ok ? claude.modules : "";
      const session = await ClaudeSession.start(rig, { modules, label: "claude" });
      try {
        await session.terminal.waitFor(INPUT_BOX);
        await work(rig, session);
      } finally {
        await session.close();
      }
    });

  it("is shown to the phone, and cleared by its tap before the task", () =>
    withClaude((rig, session) => clearByPhone(rig, session.terminal, "claude")));
});
