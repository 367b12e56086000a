/** The real claude as the client of `atlasbridge mcp`: what it asks its human by itself, and what it may do without a terminal. */
import { describe, expect, it } from "vitest";
import { MAKE_FILE, timesRun } from "../support/fake-model/scenarios.js";
import type { Scenario, ToolCall } from "../support/fake-model/script.js";
import { installClaude } from "../support/real-cli/claude.js";
import { type ClaudeBench, SERVER, withClaudeOverMcp } from "../support/real-cli/claude-mcp.js";
import { KEYS } from "../support/real-cli/terminal.js";
import { skipped } from "../support/skipped.js";

const installed = await installClaude();
const missing = installed.ok ? null : installed.reason;
const LABEL = "claude";

const ask = (args: object): ToolCall => ({ name: `${SERVER}ask_human`, input: args });
const turn =
  (...tools: readonly ToolCall[]): Scenario =>
  () => [{ text: "I will ask.", tools }, { text: "All done." }];

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  choice: turn(ask({ question: "Which colour?", choices: ["red", "blue"] })),
  words: turn(ask({ question: "What shall it be called?" })),
  hasty: turn(ask({ question: "Anybody?", choices: ["yes"], timeout_seconds: 8 })),
  two: turn(
    ask({ question: "First?", choices: ["a", "b"] }),
    ask({ question: "Second?", choices: ["c", "d"] }),
  ),
  tell: turn({ name: `${SERVER}notify_human`, input: { message: "Half of it is done." } }),
};

const withClaude = (work: (bench: ClaudeBench) => Promise<void>): Promise<void> =>
  withClaudeOverMcp(
    { installed, label: LABEL, scenarios: SCENARIOS, allowed: ["ask_human", "notify_human"] },
    work,
  );

describe.skipIf(skipped(missing))("the real claude with our MCP server", () => {
  it("gets the choice that its human tapped", () =>
    withClaude(async ({ rig, api, print }) => {
      const printed = print("please [[choice]]");
      const card = await rig.phone.card(LABEL);
      await card.pressWords("2. blue");
      expect(await printed).toContain("All done.");
      expect(api.toolResults("choice")).toEqual([
        expect.objectContaining({ isError: false, text: expect.stringContaining('"blue"') as string }),
      ]);
      expect(await card.settled()).toMatch(/^📨 blue, by Ara: delivered to the agent's client\./);
    }));

  it("gets words", () =>
    withClaude(async ({ rig, api, print }) => {
      const printed = print("please [[words]]");
      (await rig.phone.card(LABEL)).reply("Ararat");
      await printed;
      expect(api.toolResults("words")[0]?.text).toContain("Ararat");
    }));

  it("goes on when nobody answers in time", () =>
    withClaude(async ({ rig, api, print }) => {
      const printed = print("please [[hasty]]");
      const card = await rig.phone.card(LABEL);
      expect(await printed).toContain("All done.");
      expect(api.toolResults("hasty")[0]?.text).toContain("timed_out");
      expect(await card.settled()).toMatch(/Nobody answered in time/);
    }));

  it("asks two things at once", () =>
    withClaude(async ({ rig, api, print }) => {
      const printed = print("please [[two]]");
      const cards = [await rig.phone.card(LABEL), await rig.phone.card(LABEL, 2)];
      const second = cards.find(({ text }) => text.includes("Second?"));
      const first = cards.find(({ text }) => text.includes("First?"));
      await second?.pressWords("1. c");
      await first?.pressWords("2. b");
      await printed;
      // They come in the order of the answers; each belongs to its call.
      const results = api.toolResults("two").toSorted((a, b) => (a.toolUseId < b.toolUseId ? -1 : 1));
      const answers = results.map(({ text }) => /"answer": ?\\?"(\w)/.exec(text)?.[1]);
      expect(answers).toEqual(["b", "c"]);
    }));

  it("takes its question back on Esc", () =>
    withClaude(async ({ rig, claude }) => {
      const run = rig.start([claude.file, ...claude.args], { cwd: claude.cwd, env: claude.env });
      try {
        await run.terminal.waitFor(/^❯\u00a0/m);
        await run.terminal.submit("please [[choice]]");
        const card = await rig.phone.card(LABEL);
        run.terminal.press(KEYS.esc);
        expect(await card.settled()).toMatch(/Withdrawn by the tool/);
      } finally {
        // Before its model and its folder go.
        await run.close();
      }
    }));

  it("tells something", () =>
    withClaude(async ({ rig, print }) => {
      void print("please [[tell]]");
      expect(await rig.phone.notice(/Half of it is done/)).toContain("📣 claude");
    }));
});

describe.skipIf(skipped(missing))("the real claude without a terminal, with our permission prompt", () => {
  const prompted = ["--permission-prompt-tool", `${SERVER}permission_prompt`];

  it("runs the command that its human allowed, once", () =>
    withClaude(async ({ rig, api, claude, print }) => {
      const printed = print("please run [[bash]]", ...prompted);
      const card = await rig.phone.card(LABEL);
      expect(card.text).toContain("Run this command?");
      expect(card.content).toContain(MAKE_FILE);
      await card.pressWords("1. Yes");
      expect(await printed).toContain("All done.");
      expect(timesRun(claude.cwd)).toBe(1);
      expect(api.toolResults("bash")).toEqual([expect.objectContaining({ isError: false })]);
      expect(await card.settled()).toMatch(/^📨 Yes, by Ara: delivered to the agent's client\./);
    }));

  it("does not run what its human refused, and hears why", () =>
    withClaude(async ({ rig, api, claude, print }) => {
      const printed = print("please run [[bash]]", ...prompted);
      (await rig.phone.card(LABEL)).reply("2: not in this folder");
      expect(await printed).toContain("All done.");
      expect(timesRun(claude.cwd)).toBe(0);
      expect(api.toolResults("bash")).toEqual([
        expect.objectContaining({
          isError: true,
          text: expect.stringContaining("not in this folder") as string,
        }),
      ]);
    }));
});
