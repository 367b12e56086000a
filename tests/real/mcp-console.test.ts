/** The real claude finds a bug in a debugger that it starts over MCP, and its people see each of its commands. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { MAKE_FILE, timesRun } from "../support/fake-model/scenarios.js";
import type { Step } from "../support/fake-model/script.js";
import { eventually } from "../support/hub-home.js";
import { installClaude } from "../support/real-cli/claude.js";
import { type ClaudeBench, SERVER, withClaudeOverMcp } from "../support/real-cli/claude-mcp.js";
import type { Card } from "../support/rig/phone.js";
import { listProcesses } from "../support/rig/processes.js";
import { skipped } from "../support/skipped.js";

const installed = await installClaude();
const missing = installed.ok ? null : installed.reason;
const LABEL = "claude";

/** The first value is left out: the average of 2, 4 and 6 comes out as 3.33. */
const SCRIPT = `def average(values):
    total = 0
    for value in values[1:]:
        total += value
    return total / len(values)

print(average([2, 4, 6]))
`;

const COMMANDS = ["next", "step", "next", "next", "next", "p value, values", "q"];

const say = (text: string, name: string, input: object): Step => ({ text, tools: [{ name, input }] });
const start = say("I will look at it in the debugger.", `${SERVER}start_session`, {
  program: "pdb",
  arguments: ["average.py"],
});
const list = say("Is it gone?", `${SERVER}list_sessions`, {});
const run = (session: string, command: string): Step =>
  say("Next.", `${SERVER}run_command`, { session, command, timeout_seconds: 20 });

/** The model names the session by the id that it was given. */
const SCENARIOS = {
  debug: (session: string): readonly Step[] => [
    start,
    ...COMMANDS.map((command) => run(session, command)),
    list,
    { text: "The loop leaves out the first value: values[1:] should be values." },
  ],
  between: (session: string): readonly Step[] => [
    start,
    say("A file.", "Bash", { command: MAKE_FILE, description: "Make a file" }),
    run(session, "q"),
  ],
  left: (session: string): readonly Step[] => [start, run(session, "next"), { text: "I wait.", hold: true }],
};

function withDebugger(
  scenario: keyof typeof SCENARIOS,
  work: (bench: ClaudeBench & { readonly results: () => readonly string[] }) => Promise<void>,
): Promise<void> {
  let made: ClaudeBench | null = null;
  const results = (): readonly string[] => made?.api.toolResults(scenario).map(({ text }) => text) ?? [];
  const findSession = (): string => /"session": ?"([^"]+)"/.exec(results()[0] ?? "")?.[1] ?? "none";
  const scenarios = { [scenario]: () => SCENARIOS[scenario](findSession()) };
  const allowed = ["start_session", "run_command", "list_sessions"];
  return withClaudeOverMcp({ installed, label: LABEL, scenarios, allowed }, async (bench) => {
    made = bench;
    const { rig, claude } = bench;
    writeFileSync(join(claude.cwd, "average.py"), SCRIPT);
    const { config } = rig.home.paths;
    const former = parse(readFileSync(config, "utf8")) as object;
    const may_start = [{ programs: ["pdb"], paths: [claude.cwd] }];
    writeFileSync(config, stringify({ ...former, agents: { may_start } }));
    await work({ ...bench, results });
  });
}

/** Only the hub is left, which people ask for their sessions. */
async function expectNothingLeft({ rig }: ClaudeBench): Promise<void> {
  const hub = await rig.hubPid();
  await eventually(() => listProcesses(rig.home.folder).every((pid) => pid === hub));
  expect((await rig.sessions()).map(({ tool, endedAt }) => [tool, endedAt !== null])).toEqual(
    expect.arrayContaining([["pdb", true]]),
  );
}

describe.skipIf(skipped(missing))("the real claude with a debugger that it starts over MCP", () => {
  it("finds a bug by stepping, each command with its human's leave", () =>
    withDebugger("debug", async (bench) => {
      const { rig, print, results } = bench;
      const printed = print("please find the bug [[debug]]");
      const cards: Card[] = [];
      for (let n = 1; n <= 1 + COMMANDS.length; n++) {
        const card = await rig.phone.card(LABEL, n);
        expect(card.content).toContain(n === 1 ? "average.py" : `command: ${COMMANDS[n - 2]}`);
        await card.pressAnswer("Yes");
        cards.push(card);
      }
      expect(await printed).toContain("should be values.");
      expect(results().slice(1)).toEqual([
        expect.stringContaining("-> print(average([2, 4, 6]))"),
        expect.stringContaining("--Call--"),
        expect.stringContaining("-> total = 0"),
        expect.stringContaining("-> for value in values[1:]:"),
        expect.stringContaining("-> total += value"),
        expect.stringContaining("(4, [2, 4, 6])"),
        expect.stringContaining('"state":"ended"'),
        '{"sessions":[]}',
      ]);
      expect(await cards.at(-1)?.settled()).toMatch(
        /^✅ Yes, by Ara: typed into agent-.*; the program has ended$/,
      );
      await expectNothingLeft(bench);
    }));

  it("finds it with a rule that answers for its human, who is asked about the start alone", () =>
    withDebugger("debug", async (bench) => {
      const { rig, print, results } = bench;
      const rule = "{ id: step, match: { call: run_command }, answer: allow_once }";
      writeFileSync(rig.home.paths.policy, `version: 1\nmode: full\nrules: [${rule}]\n`);
      const printed = print("please find the bug [[debug]]");
      await (await rig.phone.card(LABEL)).pressAnswer("Yes");
      expect(await printed).toContain("should be values.");
      expect(results()).toHaveLength(9);
      expect(results()[6]).toContain("(4, [2, 4, 6])");
      expect(rig.phone.cards).toHaveLength(1);
      await expectNothingLeft(bench);
    }));

  it("is asked about its own commands while its session is open", () =>
    withDebugger("between", async (bench) => {
      const { rig, claude, results } = bench;
      const inner = `${LABEL}, inside another session`;
      const outer = rig.run([claude.file, ...claude.args], {
        label: "outer",
        cwd: claude.cwd,
        env: claude.env,
      });
      await outer.terminal.waitFor(/^❯\u00a0/m);
      await outer.terminal.submit("please [[between]]");
      await (await rig.phone.card(inner)).pressAnswer("Yes");
      const card = await outer.card();
      expect(card.content).toContain(MAKE_FILE);
      await card.pressAnswer("Yes");
      await (await rig.phone.card(inner, 2)).pressAnswer("Yes");
      await outer.terminal.waitFor(/All done/);
      expect(timesRun(claude.cwd)).toBe(1);
      expect(results()[2]).toContain('"state":"ended"');
      await outer.close();
      await expectNothingLeft(bench);
    }));

  it("leaves nothing behind when it is killed", () =>
    withDebugger("left", async (bench) => {
      const { rig, print, results, api } = bench;
      const printed = print("please [[left]]");
      for (const n of [1, 2]) await (await rig.phone.card(LABEL, n)).pressAnswer("Yes");
      await eventually(() => results().length === 2);
      bench.kill();
      await printed;
      api.release();
      await expectNothingLeft(bench);
    }));
});
