/**
 * A prompt that no rule describes is sent to the phone with keys to press. It takes text only when the answer says that it is
 * text, and is settled when the keyboard answers it.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { withRig, type Rig } from "../support/rig/rig.js";

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
commands: [exit]
unread: screen
rules: []
`;

function strangeTool(rig: Rig): string[] {
  mkdirSync(join(rig.home.folder, "adapters"), { recursive: true });
  writeFileSync(join(rig.home.folder, "adapters", "strange.yaml"), ADAPTER);
  const file = join(rig.home.folder, "strange.cjs");
  writeFileSync(file, STRANGE);
  return [process.execPath, file];
}

describe.concurrent("a line that no rule describes", () => {
  it("becomes a card with keys, and takes text only when the answer names it as text", () =>
    withRig(async (rig) => {
      const run = rig.run(["sh", "-c", TELLS_NOBODY]);
      const card = await run.card();
      expect(card.text).toContain("sh may be waiting for you");
      expect(card.text).toContain("Give me the thing now");
      expect(card.text).toContain("This may not be a prompt");
      expect(card.buttons).toEqual(["Press Enter", "Press Esc", "💬 Type text…"]);
      card.reply("the red one");
      await rig.phone.notice(/enter, esc, or `?text:/);
      expect(run.text).not.toContain("got");
      card.reply("text:the red one");
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
      // Nobody asked for it: what could not be read is seen.
      expect((await rig.phone.file("screen.png")).subarray(1, 4).toString()).toBe("PNG");
      // It may be the agent's input box.
      card.reply("text:!rm -rf build");
      await card.shows(/Not sent: the tool may run this as a command/);
      await card.press(2);
      expect(await card.settled()).toContain("by Ara");
      await run.terminal.waitFor(/"\\u001b"/);
    }));
});
