/** `exec` with the real agents of the Agent Client Protocol, each against a fake model: a session that later runs go on with. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { shell as geminiShell } from "../support/corpus/gemini/moves.js";
import { shell as qwenShell } from "../support/corpus/qwen/moves.js";
import type { Scenario, ToolCall } from "../support/fake-model/script.js";
import { FakeModel } from "../support/fake-model/server.js";
import { finished, type Finished } from "../support/hub-home.js";
import type { ToolCommand } from "../support/real-cli/claude.js";
import { copilot } from "../support/real-cli/copilot.js";
import { gemini } from "../support/real-cli/gemini.js";
import { qwen } from "../support/real-cli/qwen.js";
import type { RealTool } from "../support/real-cli/tool.js";
import { makeWorkspace } from "../support/real-cli/workspace.js";
import { type Rig, withRig } from "../support/rig/rig.js";
import { waitFor } from "../support/wait-for.js";

vi.setConfig({ testTimeout: 240_000 });

const LABEL = "job";

const copilotShell = (command: string): ToolCall => ({
  name: "bash",
  input: { command, description: "as asked", sessionId: "main", async: false },
});

interface Agent {
  readonly tool: RealTool;
  readonly shell: (command: string) => ToolCall;
  /** It keeps a session in a file named after the minute in which it began, and begins that file anew when it loads it in that minute. */
  readonly byMinute?: boolean;
}

const AGENTS: readonly Agent[] = [
  { tool: gemini, shell: geminiShell, byMinute: true },
  { tool: qwen, shell: qwenShell },
  { tool: copilot, shell: copilotShell },
];

interface Event {
  readonly type: string;
  readonly [key: string]: unknown;
}

interface Bench {
  readonly rig: Rig;
  readonly command: ToolCommand;
  readonly made: (file: string) => boolean;
  readonly saw: (text: string) => boolean;
  readonly exec: (...args: string[]) => {
    readonly ended: Promise<Finished>;
    readonly kill: (signal: NodeJS.Signals) => boolean;
  };
}

function withAgent({ tool, shell }: Agent, work: (bench: Bench) => Promise<void>): Promise<void> {
  const turn =
    (file: string): Scenario =>
    () => [{ text: "I will make a file.", tools: [shell(`touch ${file}`)] }, { text: "All done." }];
  return withRig(async (rig) => {
    const installed = await tool.install();
    if (!installed.ok) throw new Error(installed.reason);
    const workspace = makeWorkspace();
    const { cwd } = workspace;
    const model = await FakeModel.start({ scenarios: { one: turn("made.txt"), two: turn("more.txt") }, cwd });
    const setting = { modules: installed.modules, modelUrl: model.url, workspace };
    const command = tool.prepare(setting, { byName: true });
    Object.assign(rig.home.env, command.env);
    const running: Promise<Finished>[] = [];
    try {
      await work({
        rig,
        command,
        made: (file) => existsSync(join(cwd, file)),
        saw: (text) => JSON.stringify(model.requests.at(-1)).includes(text),
        exec: (...args) => {
          const child = rig.home.start(
            "exec",
            command.file,
            "--cwd",
            cwd,
            "--label",
            LABEL,
            "--json",
            ...args,
          );
          child.stdin?.end();
          const ended = finished(child);
          running.push(ended);
          return { ended, kill: (signal) => child.kill(signal) };
        },
      });
    } finally {
      await rig.close();
      await Promise.all(running);
      await model.close();
      await workspace.dispose();
    }
  });
}

/** Until a session that has begun by now can be gone on with. */
async function untilKept({ byMinute = false }: Agent): Promise<void> {
  const began = new Date().getMinutes();
  if (byMinute) await waitFor(() => expect(new Date().getMinutes()).not.toBe(began), 70_000);
}

const events = ({ stdout }: Finished): Event[] =>
  stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Event);

async function allow(rig: Rig, at: number): Promise<void> {
  const card = await rig.phone.card(LABEL, at);
  const rows = card.message.buttons.flatMap((row) => row.map(({ text }) => text));
  const yes = rows.find(
    (words) => /\b(?:Allow|Yes)\b/.test(words) && !/\b(?:always|all|session)\b/i.test(words),
  );
  if (yes === undefined) throw new Error(`it offers no yes: ${rows.join(" | ")}`);
  await card.pressWords(yes);
}

describe.each(AGENTS)("exec with the real $tool.name", (agent) => {
  it("asks, and goes on with its session another time, by its id", () =>
    withAgent(agent, async ({ rig, exec, made, saw }) => {
      const first = exec("--prompt", "please [[one]], and remember ARARAT", "--context", "CONTEXT-OF-OURS");
      await allow(rig, 1);
      const told = await first.ended;
      expect(told, told.stderr).toMatchObject({ code: 0 });
      expect(made("made.txt")).toBe(true);
      expect(saw("CONTEXT-OF-OURS")).toBe(true);
      const session = events(told).at(-1)?.["session"];
      expect(session).toEqual(expect.any(String));
      await untilKept(agent);
      const second = exec("--prompt", "please [[two]]", "--session", String(session));
      await allow(rig, 2);
      const again = await second.ended;
      expect(again, again.stderr).toMatchObject({ code: 0 });
      expect(events(again).at(-1)).toMatchObject({ session });
      expect(made("more.txt")).toBe(true);
      expect(saw("ARARAT")).toBe(true);
    }));

  it("goes on with a loop that was broken off, in its session", () =>
    withAgent(agent, async ({ rig, exec, saw }) => {
      const loop = ["--prompt", "please [[one]]", "--max-iterations", "2"] as const;
      const first = exec(...loop);
      await allow(rig, 1);
      await rig.phone.card(LABEL, 2);
      first.kill("SIGTERM");
      const broken = await first.ended;
      expect(broken.code, broken.stderr).toBe(143);
      const session = events(broken).at(-1)?.["session"];
      await untilKept(agent);
      const second = exec(...loop);
      await allow(rig, 3);
      const end = await second.ended;
      expect(end, end.stderr).toMatchObject({ code: 0 });
      expect(end.stderr).toContain("resuming with turn 2");
      expect(end.stderr).not.toContain("in a new session");
      expect(events(end).at(-1)).toMatchObject({ exit_code: 0, iterations: 2, session });
      expect(saw("I will make a file.")).toBe(true);
    }));

  it("says that it knows no such session, and does nothing", () =>
    withAgent(agent, async ({ exec, made }) => {
      const { code, stderr, stdout } = await exec("--prompt", "please [[one]]", "--session", "no-such").ended;
      expect(code, stdout).not.toBe(0);
      expect(stderr).toContain("ATB_TOOL_START_FAILED");
      expect(made("made.txt")).toBe(false);
    }));
});
