/**
 * A prompt that no rule describes is sent to the phone with keys to press. A line takes any text; a screen takes text only when the
 * answer says that it is text. It is settled when the keyboard answers it.
 */
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually } from "../support/hub-home.js";
import { withRig, type Rig } from "../support/rig/rig.js";
import { writeOwnAdapter } from "../support/own-adapter.js";

/** A question without any sign of one: only the kernel knows that somebody reads. */
const TELLS_NOBODY = 'printf "Give me the thing now"; read thing; echo "got <$thing>"';

/** An agent's dialog in a way that its adapter does not know. */
const STRANGE = [
  "process.stdin.setRawMode(true);",
  'process.stdout.write("\\x1b[?1049h\\x1b[2J\\x1b[H\\x1b[?25l" + ["─".repeat(60), "A quite new dialog", "it would drop the table", "", "»» go on?"].join("\\r\\n"));',
  'process.stdin.on("data", (keys) => { process.stdout.write("\\x1b[?1049l" + JSON.stringify(keys.toString()) + "\\r\\n"); process.exit(0); });',
].join("\n");
const ADAPTER = `
schema: 1
name: strange
version: 1.0.0
description: An agent whose new dialog no rule reads
family: agent
process: { executable: strange }
states: { working: ["esc to interrupt"], idle: ["^> "] }
composer_commands: [exit]
unread: screen
rules: []
`;

function strangeTool(rig: Rig): string[] {
  writeOwnAdapter(rig.home.paths, "strange", ADAPTER);
  const file = join(rig.home.folder, "strange.cjs");
  writeFileSync(file, STRANGE);
  return [process.execPath, file];
}

describe.concurrent("a line that no rule describes", () => {
  it("becomes a card with keys, and takes any text", () =>
    withRig(async (rig) => {
      const run = rig.run(["sh", "-c", TELLS_NOBODY]);
      const card = await run.card();
      expect(card.text).toContain("sh may be waiting for you");
      expect(card.text).toContain("Give me the thing now");
      expect(card.text).toContain("This may not be a prompt");
      expect(card.buttons).toEqual([
        "Press Enter",
        "Press Esc",
        "Ctrl-C (interrupt) | Ctrl-D (end of input)",
        "💬 Type text…",
      ]);
      card.reply("the red one");
      expect(await card.settled()).toContain("by Ara");
      await run.terminal.waitFor(/got <the red one>/);
      expect(await run.exited).toBe(0);
    }));

  it("takes Enter from its button", () =>
    withRig(async (rig) => {
      const run = rig.run(["sh", "-c", TELLS_NOBODY]);
      const card = await run.card();
      await card.press(1);
      expect(await card.settled()).toContain("by Ara");
      await run.terminal.waitFor(/got <>/);
    }));

  it("takes Ctrl-D as the end of its input", () =>
    withRig(async (rig) => {
      const run = rig.run(["sh", "-c", 'printf "Give me the thing now"; read thing || echo "no more"']);
      const card = await run.card();
      await card.pressKey("Ctrl-D (end of input)");
      expect(await card.settled()).toContain("by Ara");
      await run.terminal.waitFor(/no more/);
      expect(await run.exited).toBe(0);
    }));

  it("takes Ctrl-C in writing, which ends the program", () =>
    withRig(async (rig) => {
      const run = rig.run(["sh", "-c", TELLS_NOBODY]);
      const card = await run.card();
      card.reply("Ctrl+C");
      expect(await card.settled()).toContain("by Ara");
      expect(await run.exited).toBe(130);
    }));

  it("is settled when the keyboard answers it", () =>
    withRig(async (rig) => {
      const run = rig.run(["sh", "-c", TELLS_NOBODY]);
      const card = await run.card();
      run.terminal.press("me\r");
      await run.terminal.waitFor(/got <me>/);
      expect(await card.settled()).toBe("⌨️ Answered at the terminal");
    }));
});

describe.concurrent("an agent's screen that no rule describes", () => {
  it("becomes a card with its text, marked as possibly incomplete, and takes Esc", () =>
    withRig(async (rig) => {
      const run = rig.run(strangeTool(rig), { flags: ["--adapter", "strange"] });
      const card = await run.card();
      expect(card.text).toContain("A quite new dialog");
      expect(card.content).toContain("it would drop the table");
      expect(card.isMarkedCut).toBe(true);
      // Its adapter declares no key that may end it.
      expect(card.buttons.join()).not.toContain("Ctrl");
      // Nobody asked for it: what could not be read is seen.
      expect((await rig.phone.picture()).subarray(1, 4).toString()).toBe("PNG");
      // It may be the agent's input box.
      card.reply("text:!rm -rf build");
      await card.shows(/Not sent: the tool may run this as a command/);
      await card.press(2);
      expect(await card.settled()).toContain("by Ara");
      await run.terminal.waitFor(/"\\u001b"/);
    }));
});

const MENU = resolve("tests/fixtures/agents/colour-menu.cjs");

describe.concurrent("an unread menu that keys move", () => {
  it("takes a key once, tells what it changed, and shows the new screen with its picture", () =>
    withRig(async (rig) => {
      const run = rig.run([process.execPath, MENU]);
      const first = await run.card();
      expect(first.content).toContain("Which way now");
      expect(first.buttons).toEqual([
        "Enter: take it",
        "Press Esc",
        "↑ | ↓ | ← | →",
        "Tab | Shift+Tab | Space",
        "1 | 2 | 3 | 4 | 5",
        "6 | 7 | 8 | 9 | 0",
        "Ctrl-C (interrupt) | Ctrl-D (end of input)",
        "💬 Type text…",
      ]);
      const old = first.tokens[3] ?? "";
      await first.pressKey("↓");
      expect(await first.settled()).toBe("✅ ↓, by Ara, confirmed. Now on the screen: “Drop the database”");

      const second = await run.card(2);
      // The tap of before was for another screen.
      expect(await first.pressOld(old)).toMatch(/already answered|no longer/i);
      await second.pressKey("Tab");
      expect(await second.settled()).toContain("Now on the screen: “More is said of it here.”");

      const third = await run.card(3);
      expect(third.content).toContain("More is said of it here.");
      await third.pressKey("←");
      expect(await third.settled()).toMatch(/^❔ ←, by Ara: sent to node; nothing changed on the screen/);

      const fourth = await run.card(4);
      fourth.reply("3");
      expect(await fourth.settled()).toContain("Now on the screen: “Rename the database”");
      await eventually(() => rig.phone.pictures >= 4);

      const last = await run.card(5);
      await last.press(1);
      await run.terminal.waitFor(/took <Rename the database>/);
      expect(await last.settled()).toContain("Enter: take it, by Ara");
    }));

  it("refuses a key where the marked row is another one than on the card, and shows that screen", () =>
    withRig(async (rig) => {
      const run = rig.run([process.execPath, MENU]);
      const card = await run.card();
      run.terminal.press("\u001b[B");
      await run.terminal.waitFor(/Which way now/);
      await card.pressKey("↓");
      expect(await card.settled()).toMatch(/screen changed|somebody was typing/i);
      const anew = await run.card(2);
      await anew.press(1);
      await run.terminal.waitFor(/took <Drop the database>/);
      expect(await anew.settled()).toContain("by Ara");
    }));

  it("is answered by the names of keys at the terminal", () =>
    withRig(async (rig) => {
      const run = rig.run([process.execPath, MENU]);
      const { shortId } = await run.card();
      const down = await rig.home.run("answer", shortId, "down", "--wait");
      expect(down.stdout).toContain("Now on the screen: “Drop the database”");
      const next = await run.card(2);
      const enter = await rig.home.run("answer", next.shortId, "enter", "--wait");
      expect(enter.stdout).toContain("confirmed");
      await run.terminal.waitFor(/took <Drop the database>/);
    }));
});
