/**
 * A task is stopped from the phone while the real CLI thinks. Its people get no answer of an earlier turn, and the next task goes, where the
 * CLI has put the stopped one back into its input box after a tap. After the session's end a reply is told how to go on with it.
 */
import { expect, describe, it } from "vitest";
import { eventually } from "../support/hub-home.js";
import { PLAIN_ANSWER } from "../support/fake-model/scenarios.js";
import { codexMatrix } from "../support/matrix/codex.js";
import { geminiMatrix } from "../support/matrix/gemini.js";
import type { MatrixDialog } from "../support/matrix/matrix.js";
import { ToolSession } from "../support/matrix/tool-session.js";
import { installClaude } from "../support/real-cli/claude.js";
import type { RealTerminal } from "../support/real-cli/terminal.js";
import { ClaudeSession, INPUT_BOX } from "../support/rig/claude-session.js";
import { type Rig, withRig } from "../support/rig/rig.js";

const ROW_MS = 240_000;
const NOTHING_ASKED: MatrixDialog = { name: "none", model: [], question: /^/, choices: [] };
/** The task, and below it that the tool works. The end of the turn before can be told while its work is still on the screen. */
const AT_WORK = /Think about it[^]*esc to (?:interrupt|cancel)/i;

const find = (rig: Rig, pattern: RegExp) =>
  rig.telegram.posts(rig.phone.user.id).findLast(({ text }) => pattern.test(text));

async function see(rig: Rig, pattern: RegExp) {
  return await rig.telegram.waitFor(() => find(rig, pattern), String(pattern));
}

async function becomes(rig: Rig, wanted: "idle" | "working") {
  await eventually(async () => (await rig.sessions()).some(({ state }) => state === wanted));
}

function readReaction(rig: Rig, messageId: number) {
  return rig.telegram.messages(rig.phone.user.id).find(({ id }) => id === messageId)?.reaction;
}

/** `backInBox`: the tool puts the text of a task that it has not answered yet back into its input box. */
async function stopAndGoOn(rig: Rig, terminal: RealTerminal, name: string, backInBox: boolean) {
  rig.phone.user.send(`task ${name} Say something [[plain-paced]]`);
  await see(rig, /^💤[^]*This is a plain answer\.$/);
  rig.phone.user.send(`task ${name} Think about it [[think]]`);
  await terminal.waitFor(AT_WORK);
  // The hub learns a moment later that the tool works; until then there is nothing to stop.
  await becomes(rig, "working");
  rig.phone.user.send("stop");
  await see(rig, /^⏹ .*: interrupted\.$/);
  await see(rig, /^💤 [^\n]*$/);
  rig.phone.user.send("stop");
  await see(rig, /is idle; nothing to stop\.$/);
  const next = rig.phone.user.send(`task ${name} Go on [[last-words]]`);
  await eventually(() => readReaction(rig, next) === "👌");
  if (backInBox) {
    const refused = await see(rig, /already text in .*'s input box \(“Think about it/);
    expect(refused.buttons.flat().map(({ text }) => text)).toEqual(["🧹 Replace it", "Leave it"]);
    rig.phone.user.press(refused.id, 0, rig.phone.user.id);
    await see(rig, /^✅ .* has (?:started|taken the task): “Go on/);
  }
  await see(rig, /Shall I push it\?$/);
  const told = rig.telegram.posts(rig.phone.user.id).filter(({ text }) => text.includes(PLAIN_ANSWER));
  expect(told).toHaveLength(1);
}

async function end(rig: Rig, terminal: RealTerminal): Promise<string> {
  const last = await see(rig, /Shall I push it\?$/);
  for (const key of ["\u0003", "\u0003"]) {
    await terminal.settled();
    terminal.press(key);
  }
  await see(rig, /^⏹ The session ended/);
  rig.phone.user.send("Yes, push it", { replyTo: last.id });
  return (await see(rig, /has ended; nothing was typed/)).text;
}

const claude = await installClaude();
describe.skipIf(!claude.ok)("a stopped task in the real claude", { timeout: ROW_MS }, () => {
  it("leaves no way blocked", () =>
    withRig(async (rig) => {
      const modules = claude.ok ? claude.modules : "";
      const session = await ClaudeSession.start(rig, { modules, label: "api" });
      try {
        await session.terminal.waitFor(INPUT_BOX);
        await becomes(rig, "idle");
        await stopAndGoOn(rig, session.terminal, "api", true);
        expect(await end(rig, session.terminal)).toMatch(
          /^api has ended; nothing was typed\. To go on with it, in .*:\n\natlasbridge run --label api claude --resume [0-9a-f-]{36}$/,
        );
      } finally {
        await session.close();
      }
    }));
});

for (const table of [codexMatrix, geminiMatrix]) {
  const installed = await table.tool.install();
  const modules = installed.ok ? installed.modules : "";
  const { name } = table.tool;
  describe.skipIf(!installed.ok)(`a stopped task in the real ${name}`, { timeout: ROW_MS }, () => {
    it("leaves no way blocked", () =>
      withRig(async (rig) => {
        const options = { table, modules, size: "80x24", dialog: NOTHING_ASKED } as const;
        const session = await ToolSession.start(rig, options);
        try {
          await session.composer();
          await becomes(rig, "idle");
          await stopAndGoOn(rig, session.terminal, name, false);
          const told = await end(rig, session.terminal);
          expect(told).toMatch(
            name === "codex"
              ? /\n\natlasbridge run --label codex --adapter codex codex resume [0-9a-f-]{36}$/
              : /nothing was typed\.$/,
          );
        } finally {
          await session.close();
        }
      }));
  });
}
