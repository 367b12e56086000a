/**
 * The real copilot tells by its hook what it will ask: what its dialogs cut is shown whole, and a dialog that another program paints over
 * gets no answer with one tap. The user's own hooks and settings stay.
 */
import { readlinkSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { bash } from "../support/corpus/copilot/moves.js";
import type { ToolCall } from "../support/fake-model/script.js";
import { MAKE_FILE } from "../support/fake-model/scenarios.js";
import { eventually } from "../support/hub-home.js";
import type { MatrixTool, SizeName } from "../support/matrix/matrix.js";
import { ToolSession } from "../support/matrix/tool-session.js";
import { copilot, type CopilotOptions } from "../support/real-cli/copilot.js";
import { listProcesses, readCommand } from "../support/rig/processes.js";
import { withRig, type Rig } from "../support/rig/rig.js";

const installed = await copilot.install();
const CONFIRMED = /^✅ .*, by Ara, (?:confirmed|taken by [a-z]+)$/;
const OVER = "may have drawn over";
/** More than copilot shows at 45x20. */
const SCRIPT = [
  "set -e",
  ...Array.from({ length: 20 }, (_, at) => `echo "entry ${at} of it"`),
  MAKE_FILE,
].join("\n");
const EDIT = (cwd: string): ToolCall => ({
  name: "edit",
  input: { path: `${cwd}/app.py`, old_str: "    pass\n", new_str: "    print(1)\n" },
});

/** A session whose model makes this call. */
async function withCopilot(
  call: (cwd: string) => ToolCall,
  { size = "80x24", ...options }: CopilotOptions & { readonly size?: SizeName },
  work: (session: ToolSession, rig: Rig) => Promise<void>,
): Promise<void> {
  const modules = installed.ok ? installed.modules : "";
  const table: MatrixTool = { tool: copilot, composer: /^❯/m, dialogs: [] };
  const model = (cwd: string) => [{ tools: [call(cwd)] }];
  const dialog = { name: "hooks", options, model, question: /^/, choices: [] };
  await withRig(async (rig) => {
    const session = await ToolSession.start(rig, { table, dialog, modules, size });
    try {
      await session.ask();
      await work(session, rig);
    } catch (problem) {
      const message = problem instanceof Error ? problem.message : "";
      throw new Error(`${message}\n${session.account}`, { cause: problem });
    } finally {
      await session.close();
    }
  });
}

/** Another program of the user draws over this row. */
function paintOver(session: ToolSession, rig: Rig, row: string, text: string): void {
  const at = session.terminal.screen.split("\n").findLastIndex((line) => line.includes(row));
  expect(at).toBeGreaterThan(0);
  const tool = listProcesses(rig.home.folder).find((pid) =>
    /\/copilot$/.test(readCommand(pid).split(" ")[1] ?? ""),
  );
  const terminal = readlinkSync(`/proc/${tool ?? 0}/fd/0`);
  writeFileSync(terminal, `\u001b7\u001b[${at + 1};1H${text}\u001b[K\u001b8`);
}

describe.skipIf(!installed.ok)("the real copilot, told to call us", () => {
  it.each([
    ["a command", "45x20", () => bash(SCRIPT), SCRIPT.split("\n")],
    ["a change", "80x24", EDIT, ["-    pass", "+    print(1)", " import sys"]],
  ] as const)("shows the phone all of %s that its dialog cuts", (_, size, call, lines) =>
    withCopilot(call, { size }, async (session) => {
      const card = await session.card();
      expect(card.isMarkedCut).toBe(false);
      for (const line of lines) expect(card.content).toContain(line);
      await session.run.pressRow(card, 1);
      expect(await card.settled()).toMatch(CONFIRMED);
      await session.finished();
      expect(session.run.cards).toHaveLength(1);
    }),
  );

  it("runs its user's own hooks of every place beside ours, and leaves their files as they are", () =>
    withCopilot(
      () => bash(SCRIPT),
      { size: "45x20", ownHook: (place) => `cat > /dev/null; echo ${place} >> ~/own.log` },
      async (session) => {
        const card = await session.card();
        expect(card.content).toContain(SCRIPT);
        expect(session.read("~/own.log").trim().split("\n").sort()).toEqual([
          "file",
          "plugin",
          "project",
          "settings",
        ]);
        expect(session.read("~/.copilot/settings.json")).toContain("~/own.log");
        expect(session.read("~/.copilot/settings.json")).not.toContain("ATB_HOOK");
        expect(session.read("~/.copilot/config.json")).not.toContain("lugin");
      },
    ));

  it.each(["settings", "plugin"] as const)("lets its user's own hook refuse, in a %s", (refusing) =>
    withCopilot(
      () => bash(MAKE_FILE),
      {
        ownHook: (place) => (place === refusing ? `echo '{"behavior":"deny","message":"not here"}'` : "true"),
      },
      async (session) => {
        await session.finished();
        expect(session.results.join()).toContain("not here");
        expect(session.run.cards).toEqual([]);
        expect(session.timesRun).toBe(0);
      },
    ),
  );

  it("shows what is drawn where the project disables all hooks", () =>
    withCopilot(
      () => bash(SCRIPT),
      { size: "45x20", projectSettings: { disableAllHooks: true } },
      async (session) => {
        const card = await session.card();
        expect(card.isMarkedCut).toBe(true);
        expect(card.content).not.toContain("entry 1 of it");
      },
    ));

  it("types nothing at one tap once its dialog was painted over", () =>
    withCopilot(
      () => bash(MAKE_FILE),
      {},
      async (session, rig) => {
        const card = await session.card();
        expect(card.text).not.toContain(OVER);
        paintOver(session, rig, MAKE_FILE, "│ │ ls -la");
        const painted = await session.card(2);
        expect(painted.text).toContain(OVER);
        await painted.press(1);
        await eventually(() => painted.buttons.some((button) => button.includes("Maybe drawn over")));
        expect(session.timesRun).toBe(0);
        await painted.pressAnswer("No, and tell");
        await painted.settled();
        expect(session.timesRun).toBe(0);
      },
    ));
});
