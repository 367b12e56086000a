/** The real claude with several questions at once, and in a version that has no hooks for us. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually } from "../support/hub-home.js";
import { installClaude } from "../support/real-cli/claude.js";
import { HOOKED, withHookedClaude, type HookedDialog } from "../support/rig/claude-hooked.js";

const installed = await installClaude();
const modules = installed.ok ? installed.modules : "";
const old = await installClaude("2.0.76");
const CONFIRMED = /^✅ .*, by Ara, (?:confirmed|taken by claude)$/;

const named = (name: string): HookedDialog => HOOKED.find((each) => each.name === name)!;
const bash = named("bash");

describe.skipIf(!installed.ok)("questions that wait at the same time", () => {
  it("of a helper and of the main turn are two: each tap answers its own", () =>
    withHookedClaude(modules, async (open) => {
      const session = await open({ ...bash, scenario: "agent-beside", drawn: /Do you want to proceed\?/ });
      const cards = [await session.run.card(1), await session.run.card(2)];
      const ofMain = cards.find(({ content }) => content.includes("touch main.txt"));
      const ofHelper = cards.find(({ content }) => content.includes("mktemp"));
      if (!ofMain || !ofHelper) throw new Error(`not two: ${cards.map(({ text }) => text).join("\n")}`);
      // Whichever dialog is drawn: the main turn's command runs, and the helper's still waits for its own tap.
      await ofMain.press(1);
      expect(await ofMain.settled()).toMatch(CONFIRMED);
      await eventually(() => existsSync(join(session.cwd, "main.txt")));
      expect(session.timesRun).toBe(0);
      expect(ofHelper.buttons).not.toEqual([]);
      await ofHelper.pressAnswer("No");
      expect(await ofHelper.settled()).toMatch(CONFIRMED);
      await session.talkOn();
      expect(session.timesRun).toBe(0);
      expect(session.run.cards).toHaveLength(2);
    }));

  it("of two calls in a row are two: a second tap on the first one's card does nothing", () =>
    withHookedClaude(modules, async (open) => {
      const session = await open({ ...bash, scenario: "bash-two", drawn: /Do you want to proceed\?/ });
      const file = await session.run.card();
      const [yes = ""] = file.tokens;
      expect(file.content).toContain("touch first.txt");
      await file.press(1);
      expect(await file.settled()).toMatch(CONFIRMED);
      const folder = await session.run.card(2);
      expect(folder.content).toContain("mkdir second");
      expect(await file.pressOld(yes)).toMatch(/^Already answered by/);
      expect(folder.buttons).not.toEqual([]);
      await folder.press(1);
      expect(await folder.settled()).toMatch(CONFIRMED);
      await session.finished();
      expect(session.results.map(({ isError }) => isError)).toEqual([false, false]);
    }));
});

describe.skipIf(!old.ok)("claude 2.0.76, which knows none of our hooks", () => {
  it("is started as it was typed; its screen is read, keys answer, its user's hooks run", () =>
    withHookedClaude(old.ok ? old.modules : "", async (open) => {
      const command = `cat > /dev/null; echo ran >> "$CLAUDE_PROJECT_DIR/ran.log"`;
      const hooks = { PreToolUse: [{ hooks: [{ type: "command", command }] }] };
      const drawn = /Do you want to proceed\?[\s\S]+1\. Yes/;
      const idle = { ...bash, scenario: null, drawn: /^>\u00a0/m };
      const session = await open(idle, { claude: { settings: { hooks } } });
      const file = join(session.home, ".claude/settings.json");
      const before = readFileSync(file);
      await session.terminal.submit("please run [[bash]]");
      await session.terminal.waitFor(drawn);
      const card = await session.run.card();
      expect(card.text).toContain("Do you want to proceed?");
      await card.press(1);
      expect(await card.settled()).toMatch(CONFIRMED);
      await session.finished();
      expect(session.timesRun).toBe(1);
      await eventually(() => session.read("ran.log") !== "");
      expect(readFileSync(file).equals(before)).toBe(true);
    }));
});
