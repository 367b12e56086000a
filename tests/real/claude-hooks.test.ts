/** The real claude with its hooks: what it asks comes with the whole input, and is answered without a key. */
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readLandlockAbi, OLDEST_ABI } from "../../src/worker/process/landlock.js";
import { nameChoice } from "../../src/model/answer/choice-names.js";
import { installClaude } from "../support/real-cli/claude.js";
import { KEYS, RealTerminal, type TerminalSize } from "../support/real-cli/terminal.js";
import { type ClaudeDialog, DIALOGS, WORDS } from "../support/rig/claude-dialogs.js";
import { ClaudeSession } from "../support/rig/claude-session.js";
import { HOOKED, withHookedClaude } from "../support/rig/claude-hooked.js";
import type { Card } from "../support/rig/phone.js";
import { withSlack } from "../support/rig/slack-desk.js";
import { eventually } from "../support/hub-home.js";
import { notLinux, skipped } from "../support/skipped.js";

const noLandlock =
  notLinux ?? (readLandlockAbi() < OLDEST_ABI ? "this kernel has no Landlock that would do" : null);
const installed = await installClaude();
const modules = installed.ok ? installed.modules : "";
const TINY: TerminalSize = { cols: 45, rows: 20 };
const CONFIRMED = /^✅ .*, by Ara, (?:confirmed|taken by claude)$/;

const dialogNamed = (name: string): ClaudeDialog => DIALOGS.find((dialog) => dialog.name === name)!;
const bash = dialogNamed("bash");

/** What is answered, row by row, and what reaches the model then. */
const ANSWERS: readonly [name: string, row: number, text: string | null, result: RegExp, isError: boolean][] =
  [
    ["bash", 1, null, /made\./, false],
    ["bash", 3, "use touch instead", /use touch instead/, true],
    ["bash-long", 1, null, /made\./, false],
    ["write", 1, null, /created successfully/, false],
    ["edit", 1, null, /updated/, false],
    ["webfetch", 3, "not that page", /not that page/, true],
    ["mcp", 1, null, /deployed/, false],
    ["ask", 2, null, /SQLite/, false],
    ["ask", 4, WORDS, /MariaDB, please/, false],
    ["plan", 1, null, /approved/i, false],
    ["plan", 3, "make it shorter", /make it shorter/, true],
  ];

/** The options of a question are numbered as on the screen; the answers to a permission have letters. */
function nameOfRow(card: Card, row: number): string {
  return nameChoice(card.text.includes("numbers its choices differently"), row);
}

describe.skipIf(!installed.ok)("the real claude with its hooks, answered from the phone", () => {
  const STEPPED = [
    ["ask-two", ["SQLite", "EU", "Send"], [/SQLite/, /EU/]],
    ["ask-multi", ["Auth", "Search", "Done"], [/Auth, Search/]],
  ] as const;

  it.each(STEPPED)("%s: the questions are stepped through by taps", (name, taps, results) =>
    withHookedClaude(modules, async (open) => {
      const session = await open(HOOKED.find((dialog) => dialog.name === name)!);
      const card = await session.run.card();
      for (const words of taps) {
        await eventually(() => card.buttons.some((button) => button.includes(words)));
        const { edits } = card.message;
        await card.pressAnswer(words);
        // The last button sends only what the card shows.
        await eventually(() => card.message.edits > edits);
      }
      expect(await card.settled()).toMatch(CONFIRMED);
      await session.finished();
      for (const result of results) expect(session.results.at(-1)?.text).toMatch(result);
      expect(session.run.cards).toHaveLength(1);
    }),
  );

  it.each(STEPPED)("%s: so they are in Slack", (name, taps, results) =>
    withSlack(async (rig, desk) => {
      const session = await ClaudeSession.start(rig, { modules, label: name });
      try {
        await session.bringUp(HOOKED.find((dialog) => dialog.name === name)!);
        const card = await desk.card(name);
        for (const words of taps) {
          const find = () => desk.buttons(card).find((label) => label.includes(words)) ?? null;
          const button = await eventually(find);
          const shown = desk.shown(card);
          await desk.press(desk.current(card), button);
          // The last button sends only what the card shows.
          await eventually(() => desk.shown(card) !== shown);
        }
        expect(await desk.shows(card, /by Ara/)).toMatch(CONFIRMED);
        await session.finished();
        for (const result of results) expect(session.results.at(-1)?.text).toMatch(result);
        expect(desk.buttons(card)).toEqual([]);
        expect(desk.cards).toHaveLength(1);
      } finally {
        await session.close();
      }
    }),
  );

  it.each(ANSWERS)("%s, row %i with %s: %s reaches the model", (name, row, text, result, isError) =>
    withHookedClaude(modules, async (open) => {
      const session = await open(dialogNamed(name));
      const card = await session.run.card();
      if (text === null) await session.run.pressRow(card, row);
      else card.reply(`${nameOfRow(card, row)}: ${text}`);
      expect(await card.settled()).toMatch(CONFIRMED);
      await session.finished();
      expect(session.results.at(-1)).toMatchObject({ isError });
      expect(session.results.at(-1)?.text).toMatch(result);
      // One question, one card: the dialog and its hook are one.
      expect(session.run.cards).toHaveLength(1);
    }),
  );

  it("a new file outside of its folder is one card, which knows its dialog", () =>
    withHookedClaude(modules, async (open) => {
      const session = await open({ ...dialogNamed("write"), scenario: "write-outside" });
      const card = await session.run.card();
      await session.terminal.settled();
      expect(card.text).not.toContain("was not found");
      await card.press(1);
      expect(await card.settled()).toMatch(CONFIRMED);
      await session.finished();
      expect(session.read("../outside/new-file.ts")).toContain("answer = 42");
      expect(session.run.cards).toHaveLength(1);
    }));

  it("a plain No stops the turn, as the dialog's own No does", () =>
    withHookedClaude(modules, async (open) => {
      const session = await open(bash);
      const card = await session.run.card();
      await card.press(3);
      expect(await card.settled()).toMatch(CONFIRMED);
      await session.terminal.waitFor(/Interrupted/);
      await session.talkOn();
      expect(session.timesRun).toBe(0);
    }));

  it("on a tiny screen the phone still has the whole content", () =>
    withHookedClaude(modules, async (open) => {
      const session = await open(
        { ...dialogNamed("bash-long"), drawn: /Do you want to proceed\?/ },
        { size: TINY },
      );
      const card = await session.run.card();
      expect(card.isMarkedCut).toBe(false);
      for (const part of dialogNamed("bash-long").content) expect(card.content).toContain(part);
      await card.press(1);
      expect(await card.settled()).toMatch(CONFIRMED);
      await session.finished();
      expect(session.timesRun).toBe(1);
    }));

  it.skipIf(skipped(noLandlock))("is answered by its hooks in an isolated run, too", () =>
    withHookedClaude(modules, async (open) => {
      // The first run learns the version: an isolated tool is not asked for it.
      const plain = await open(bash);
      await (await plain.run.card()).press(1);
      await plain.finished();
      const session = await open(bash, { flags: ["--isolate"] });
      const card = await session.run.card();
      expect(card.text).toContain("numbers its choices differently");
      await card.press(1);
      expect(await card.settled()).toMatch(CONFIRMED);
      await session.finished();
      expect(session.timesRun).toBe(1);
    }),
  );

  it.each([
    ["Yes", "1", 1],
    ["No", "4", 0],
    ["Esc", KEYS.esc, 0],
  ])("%s at the keyboard wins, and a late tap does nothing", (_, key, runs) =>
    withHookedClaude(modules, async (open) => {
      const session = await open(bash);
      const card = await session.run.card();
      const [yes = ""] = card.tokens;
      await session.terminal.settled();
      session.terminal.press(key);
      expect(await card.settled()).toMatch(/^⌨️ (?:Yes,|Answered) at the terminal$/);
      expect(await card.pressOld(yes)).toMatch(/answered at the terminal/i);
      await session.talkOn();
      expect(session.timesRun).toBe(runs);
      expect(session.run.cards).toHaveLength(1);
    }),
  );

  it("of two equal calls, one tap answers one", () =>
    withHookedClaude(modules, async (open) => {
      const session = await open({ ...bash, scenario: "bash-twins" });
      const first = await session.run.card();
      await first.press(1);
      expect(await first.settled()).toMatch(CONFIRMED);
      const second = await session.run.card(2);
      await eventually(() => session.timesRun === 1);
      await second.press(1);
      expect(await second.settled()).toMatch(CONFIRMED);
      await session.finished();
      expect(session.timesRun).toBe(2);
      expect(session.run.cards).toHaveLength(2);
    }));

  it("a hub killed with -9 leaves the call waiting, and the same card answers it", () =>
    withHookedClaude(modules, async (open, rig) => {
      const session = await open(bash);
      const card = await session.run.card();
      const killed = await rig.killHub();
      expect(await rig.hubPid()).not.toBe(killed);
      await card.press(1);
      expect(await card.settled()).toMatch(CONFIRMED);
      await session.finished();
      expect(session.timesRun).toBe(1);
    }));

  it("the user's own hooks run, and their settings stay byte for byte", () =>
    withHookedClaude(modules, async (open) => {
      const note = (event: string) => [
        {
          hooks: [
            { type: "command", command: `cat > /dev/null; echo ${event} >> "$CLAUDE_PROJECT_DIR/ran.log"` },
          ],
        },
      ];
      const hooks = Object.fromEntries(
        ["PreToolUse", "PermissionRequest", "Stop"].map((event) => [event, note(event)]),
      );
      const session = await open(
        { ...bash, scenario: null, drawn: /❯/ },
        { claude: { settings: { hooks } } },
      );
      const file = join(session.home, ".claude/settings.json");
      const before = readFileSync(file);
      await session.play("bash");
      const card = await session.run.card();
      await card.press(1);
      expect(await card.settled()).toMatch(CONFIRMED);
      await session.finished();
      await eventually(() => session.read("ran.log").includes("Stop"));
      for (const event of ["PreToolUse", "PermissionRequest"])
        expect(session.read("ran.log")).toContain(event);
      expect(readFileSync(file).equals(before)).toBe(true);
    }));

  it.skipIf(skipped(notLinux))("a command that it runs forges no report, no call and no question", () =>
    withHookedClaude(modules, async (open, rig) => {
      const allow = ["Bash(node hostile.mjs:*)"];
      const session = await open(
        { ...bash, scenario: null, drawn: /❯/ },
        { claude: { settings: { permissions: { allow } } } },
      );
      copyFileSync("tests/fixtures/agents/hostile-command.mjs", join(session.cwd, "hostile.mjs"));
      await session.play("hostile");
      await session.finished();
      expect(session.read("forged.log")).toBe("403 403\n");
      expect(session.results.at(-1)?.text).toContain("Do you want to proceed?");
      await rig.phone.notice(/All done\./);
      expect(rig.phone.cards).toEqual([]);
      expect(await rig.prompts()).toEqual([]);
      expect(rig.phone.notices.join()).not.toContain("forger");
    }),
  );

  it.each([
    { cols: 240, rows: 40 },
    { cols: 80, rows: 24 },
  ])("the command that it prints at its end works when it is typed, at $cols columns", (size) =>
    withHookedClaude(modules, async (open) => {
      const session = await open({ ...bash, scenario: null, drawn: /❯/ }, { size });
      await session.play("plain");
      await session.terminal.waitFor(/This is a plain answer\./);
      await session.terminal.submit("/exit");
      await session.terminal.exited;
      const [, printed = ""] = /^claude (.*--resume \S+)$/m.exec(session.terminal.screen) ?? [];
      // Only where it fits does claude repeat what it was started with.
      expect(printed.includes("--settings")).toBe(size.cols > 80);
      const again = new RealTerminal(session.commandLine(printed.split(" ")), size);
      try {
        await again.waitFor(/This is a plain answer\.[\s\S]+^❯\u00a0/m);
      } finally {
        await again.close();
      }
    }),
  );

  it("settings that the user gave for this run are kept", () =>
    withHookedClaude(modules, async (open, rig) => {
      const file = join(rig.home.folder, "mine.json");
      writeFileSync(file, JSON.stringify({ permissions: { allow: ["Bash(mktemp:*)"] } }));
      const plain: ClaudeDialog = {
        ...bash,
        scenario: null,
        drawn: /❯/,
        options: { args: ["--settings", file] },
      };
      const session = await open(plain);
      await session.play("bash");
      // Allowed by the user's own rule: nothing is asked.
      await session.finished();
      expect(session.timesRun).toBe(1);
      expect(session.run.cards).toHaveLength(0);
    }));

  it("hooks that the user has switched off: the screen is read, and keys answer", () =>
    withHookedClaude(modules, async (open) => {
      const session = await open(bash, { claude: { settings: { disableAllHooks: true } } });
      const card = await session.run.card();
      expect(card.text).toContain("Do you want to proceed?");
      await card.press(1);
      expect(await card.settled()).toMatch(CONFIRMED);
      await session.finished();
      expect(session.timesRun).toBe(1);
    }));
});
