/**
 * `exec` runs a task without the tool's interface. Approvals go to the phone, to the terminal or to a program (`--json`), and are
 * refused where nobody can answer. A loop ends by its file, its time, a lack of progress, refusals or a stop.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { MAIN } from "../support/hub-home.js";
import { eventually, finished, type Finished } from "../support/hub-home.js";
import { readCommand, listProcesses } from "../support/rig/processes.js";
import { type Rig, withRig } from "../support/rig/rig.js";

const AGENT = resolve("tests/fixtures/agents/stream-json-agent.mjs");
const ONE_TASK_AGENT = resolve("tests/fixtures/agents/one-task-agent.mjs");
const LABEL = "job";

/** Our agent under the name by which an adapter file knows how it speaks. */
function agentIn({ home }: Rig): { readonly file: string; readonly noted: () => string[] } {
  const file = join(home.folder, "claude");
  if (!existsSync(file)) symlinkSync(AGENT, file);
  const notes = join(home.folder, "noted");
  Object.assign(home.env, { NOTES: notes });
  return {
    file,
    noted: () => (existsSync(notes) ? readFileSync(notes, "utf8").split("\n").filter(Boolean) : []),
  };
}

interface Job extends ReturnType<typeof agentIn> {
  readonly pid: number;
  readonly ended: Promise<Finished>;
  readonly kill: (signal: NodeJS.Signals) => boolean;
}

/** `exec` without a terminal. */
function job(rig: Rig, prompt: string, ...flags: string[]): Job {
  const agent = agentIn(rig);
  const child = rig.home.start("exec", agent.file, "--label", LABEL, "--prompt", prompt, ...flags);
  child.stdin?.end();
  return { ...agent, pid: child.pid ?? 0, ended: finished(child), kill: (signal) => child.kill(signal) };
}

/** A task that is over before the hub has come up is on no list: nobody waits for a hub. */
async function knowsSessions({ home }: Rig): Promise<void> {
  expect((await home.run("hub", "start")).code).toBe(0);
}

const events = ({ stdout }: Finished): { type: string; [key: string]: unknown }[] =>
  stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { type: string });

describe.concurrent("a task without an interface", () => {
  it("asks on the phone, continues with the answer, and ends as its turn did", () =>
    withRig(async (rig) => {
      const run = job(rig, "run touch a");
      const card = await rig.phone.card(LABEL);
      expect(card.content).toBe("touch a");
      await card.pressWords("1. Yes");
      expect(await card.settled()).toBe("✅ Yes, by Ara, taken by claude");
      const { code, stdout } = await run.ended;
      expect(code).toBe(0);
      expect(stdout).toContain("● Bash: touch a");
      expect(run.noted().at(-1)).toBe('{"updatedInput":{"command":"touch a"},"behavior":"allow"}');
      expect((await rig.sessions())[0]).toMatchObject({ tool: "claude", label: LABEL });
    }));

  it("keeps a task that its tool takes as an argument off the record", () =>
    withRig(async (rig) => {
      const file = join(rig.home.folder, "copilot");
      symlinkSync(ONE_TASK_AGENT, file);
      const notes = join(rig.home.folder, "noted");
      Object.assign(rig.home.env, { NOTES: notes });
      await knowsSessions(rig);
      const task = "a-task-of-mine";
      const child = rig.home.start("exec", file, "--batch", "--label", LABEL, "--prompt", task);
      child.stdin?.end();
      expect((await finished(child)).code).toBe(0);
      expect(readFileSync(notes, "utf8")).toContain(task);
      expect(await rig.sessions()).toMatchObject([{ tool: "copilot", label: LABEL }]);
      const places = readdirSync(rig.home.folder, { recursive: true, encoding: "utf8" });
      const ledger = places.filter((place) => /\.db(-wal)?$/.test(place));
      const stored = ledger.map((place) => readFileSync(join(rig.home.folder, place), "latin1")).join("");
      expect(stored).toContain("--no-ask-user");
      expect(stored).not.toContain(task);
    }));

  it("reports to a program what happens, line by line (--json)", () =>
    withRig(async (rig) => {
      const run = job(rig, "run touch a", "--json");
      const card = await rig.phone.card(LABEL);
      card.reply("3: not now");
      const told = events(await run.ended);
      expect(told).toContainEqual(expect.objectContaining({ type: "receipt", outcome: "answered" }));
      expect(told.map(({ type }) => type).filter((type) => type !== "receipt")).toEqual([
        "started",
        "call",
        "asked",
        "answered",
        "result",
        "turn",
        "end",
      ]);
      expect(told).toContainEqual(
        expect.objectContaining({ type: "turn", denials: 1, session: "session-1", cost_usd: 0.5 }),
      );
      expect(told.at(-1)).toMatchObject({ exit_code: 0, why: "done" });
    }));

  it("is ended by Ctrl-C with all that it started, its question withdrawn", () =>
    withRig(async (rig) => {
      const run = job(rig, "run sleep");
      const card = await rig.phone.card(LABEL);
      run.kill("SIGINT");
      const { code, stderr } = await run.ended;
      expect(code).toBe(130);
      expect(stderr).toContain("interrupted in turn 1; resume with --session session-1");
      expect(await card.settled()).toMatch(/^⏹ The (session ended|turn was cancelled)/);
      expect(run.noted()).toContain("interrupt");
      const left = listProcesses(rig.home.folder)
        .map(readCommand)
        .filter((command) => command.includes("claude"));
      expect(left).toEqual([]);
      await eventually(async () => (await rig.sessions()).every(({ state }) => state === "ended"));
    }));

  it("ends with a tool that dies in the middle, and shows what the tool wrote", () =>
    withRig(async (rig) => {
      const { code, stderr } = await job(rig, "die").ended;
      expect(code).toBe(1);
      expect(stderr).toContain("out of memory");
    }));

  it("refuses a prompt that nobody answers in time, and its card says so", () =>
    withRig(
      async (rig) => {
        const run = job(rig, "run touch a", "--json");
        const card = await rig.phone.card(LABEL);
        expect(card.text).toContain("If nobody answers by then, it is refused.");
        expect(await card.settled()).toBe("⛔ Refused by AtlasBridge: nobody answered in time");
        const ended = await run.ended;
        expect(ended.code).toBe(5);
        expect(ended.stderr).toContain("a request was denied because nobody could answer it in time");
        expect(run.noted().at(-1)).toContain('"behavior":"deny"');
        expect(events(ended)).toContainEqual(
          expect.objectContaining({ type: "refused", reason: "nobody answered in time" }),
        );
        expect((await rig.home.run("prompts")).stdout).toBe("No open prompts.\n");
      },
      { prompts: { expires_after: "3s" } },
    ));

  it("ends when its time is over", () =>
    withRig(async (rig) => {
      const { code, stderr } = await job(rig, "hang", "--timeout", "10s").ended;
      expect(code).toBe(124);
      expect(stderr).toContain("timed out in turn 1");
    }));

  it("ends at once by Ctrl-C twice, also when one read brings both", () =>
    withRig(async (rig) => {
      const { file, noted } = agentIn(rig);
      const env = { ...rig.home.env, RIG_MARK: rig.home.folder } as Record<string, string>;
      const run = rig.start([process.execPath, MAIN, "exec", file, "--prompt", "hang"], { env });
      await eventually(() => noted().includes("task hang"));
      run.terminal.press("\u0003\u0003");
      expect(await run.exited).toBe(130);
    }));

  it("is answered in its own terminal as well", () =>
    withRig(async (rig) => {
      const { file, noted } = agentIn(rig);
      const env = { ...rig.home.env, RIG_MARK: rig.home.folder } as Record<string, string>;
      const run = rig.start(
        [process.execPath, MAIN, "exec", file, "--prompt", "run touch a", "--label", LABEL],
        {
          label: LABEL,
          env,
        },
      );
      const card = await run.card();
      await run.terminal.waitFor(/3\. No/);
      await run.terminal.settled();
      run.terminal.press("3");
      await run.terminal.waitFor(/answer › 3/);
      run.terminal.press("\r");
      expect(await run.exited).toBe(0);
      expect(await card.settled()).toMatch(/Answered at the terminal/);
      expect(noted().at(-1)).toContain('"behavior":"deny"');
    }));
});

describe("a task for an agent of the Agent Client Protocol", () => {
  it("raises its prompts as other tasks do, and sends its context before the task", () =>
    withRig(async (rig) => {
      const file = join(rig.home.folder, "gemini");
      const agent = resolve("tests/fixtures/agents/acp-agent.mjs");
      writeFileSync(
        file,
        `#!/bin/sh\nexec "${process.execPath}" "${agent}" tasks "${rig.home.folder}/noted"\n`,
        { mode: 0o755 },
      );
      const child = rig.home.start("exec", file, "--label", LABEL, "--prompt", "ask rm x", "--json");
      child.stdin?.end();
      const ended = finished(child);
      const card = await rig.phone.card(LABEL);
      expect(card.text).toContain("rm x");
      await card.pressWords("2. Allow");
      const told = await ended;
      const types = events(told).map(({ type }) => type);
      // The receipt waits for the agent to be seen reading, and the turn may end before.
      expect(types.filter((type) => type !== "receipt")).toEqual([
        "started",
        "asked",
        "answered",
        "turn",
        "end",
      ]);
      expect(types).toContain("receipt");
      expect(told.code).toBe(0);
      expect(readFileSync(join(rig.home.folder, "noted"), "utf8")).toContain("opt-once");
      const session = events(told).at(-1)?.["session"];
      expect(session).toBe("session-1");
      const again = await rig.home.run(
        "exec",
        file,
        "--prompt",
        "say more",
        "--session",
        String(session),
        "--json",
      );
      expect(events(again).map((each) => each["text"] ?? each.type)).toEqual([
        "started",
        "more",
        "turn",
        "end",
      ]);
      const { code, stderr } = await rig.home.run("exec", file, "--prompt", "x", "--session", "s1");
      expect([code, stderr]).toEqual([3, expect.stringContaining("ATB_TOOL_START_FAILED")]);
    }));
});

describe.concurrent("a task that is given again and again", () => {
  it("ends when the file exists, and not for a folder of that name", () =>
    withRig(async (rig) => {
      const done = join(rig.home.folder, "done");
      mkdirSync(join(rig.home.folder, "folder"));
      const folder = join(rig.home.folder, "folder");
      const asked = await job(rig, "say the same", "--until-file", folder, "--max-iterations", "1").ended;
      expect(asked.code).toBe(1);
      const run = job(rig, `make ${done}`, "--until-file", done);
      const { code, stderr } = await run.ended;
      expect(code).toBe(0);
      expect(stderr).toContain("done after 1 turn");
    }));

  it("stops when it makes no progress", () =>
    withRig(async (rig) => {
      const { code, stderr } = await job(rig, "say the same", "--max-iterations", "20").ended;
      expect(code).toBe(1);
      expect(stderr).toContain(
        "stopped after 3 turns: the last turns made no progress; the same command resumes with turn 4",
      );
      const again = await job(rig, "say the same", "--max-iterations", "20").ended;
      expect(again.stderr).toContain("resuming with turn 4 of 20, in session session-1");
      expect(again.stderr).toContain("stopped after 6 turns");
    }));

  it("stops after the given number of turns with a refusal, and says what to do", () =>
    withRig(async (rig) => {
      const run = job(rig, "run rm x", "--max-iterations", "20", "--no-relay");
      const { code, stderr } = await run.ended;
      expect(code).toBe(5);
      expect(stderr).toContain("requests were denied in several turns in a row");
      expect(stderr).toContain("A permission of Claude Code was denied");
    }));

  it("that failed in its last turn is no success the next time", () =>
    withRig(async (rig) => {
      const once = () => job(rig, "fail overloaded", "--max-iterations", "2");
      expect((await once().ended).code).toBe(1);
      const second = once();
      const { code, stderr } = await second.ended;
      expect(code).toBe(1);
      expect(stderr).toContain("overloaded");
      expect(second.noted().filter((line) => line.startsWith("task"))).toHaveLength(4);
    }));

  it("looks for the file where the tool works, and knows its folder by its whole name", () =>
    withRig(async (rig) => {
      await knowsSessions(rig);
      const cwd = relative(".", rig.home.folder);
      const run = job(rig, "make made-there", "--until-file", "made-there", "--cwd", cwd);
      expect(await run.ended).toMatchObject({ code: 0 });
      expect(run.noted()).toContain(
        "task make made-there||When all of this is done, create the file made-there, and not before.",
      );
      expect((await rig.sessions())[0]).toMatchObject({ cwd: rig.home.folder });
    }));

  it("runs once at a time", () =>
    withRig(async (rig) => {
      const args = ["hang", "--max-iterations", "2"] as const;
      const first = job(rig, ...args);
      await eventually(() => first.noted().includes("task hang"));
      const { code, stderr } = await job(rig, ...args).ended;
      expect(code).toBe(1);
      expect(stderr).toContain(`this loop is already running (process ${first.pid})`);
      first.kill("SIGTERM");
      await first.ended;
    }));

  it("ends with its time also while it waits for the hour to have room", () =>
    withRig(
      async (rig) => {
        const flags = ["--max-iterations", "3", "--timeout", "10s"];
        const { code, stderr } = await job(rig, `make ${rig.home.folder}/made`, ...flags).ended;
        expect(stderr).toContain("timed out after turn 1");
        expect(code).toBe(124);
      },
      { exec: { turns_per_hour: 1 } },
    ));

  it("is ended by a stop from the phone, in a turn and between two, and says so", () =>
    withRig(
      async (rig) => {
        await knowsSessions(rig);
        const args = ["wait", "--max-iterations", "3", "--json"] as const;
        const first = job(rig, ...args);
        await eventually(async () => (await rig.sessions()).some(({ state }) => state === "working"));
        rig.phone.user.send(`stop ${LABEL}`);
        expect(await rig.phone.notice(/interrupted|stop/)).toBe(`⏹ ${LABEL}: interrupted.`);
        const { code, stderr, stdout } = await first.ended;
        expect(first.noted().filter((line) => line.startsWith("task"))).toHaveLength(1);
        expect(code).toBe(1);
        expect(stderr).toContain("stopped remotely in turn 1; the same command resumes with turn 1");
        expect(events({ code, stderr, stdout }).at(-1)).toMatchObject({ why: "cancelled", iterations: 0 });
        const folder = join(rig.home.paths.dataDir, "exec");
        const [kept = ""] = readdirSync(folder).filter((name) => name.endsWith(".json"));
        expect(readFileSync(join(folder, kept), "utf8")).toContain('"status":"interrupted"');
        const second = job(rig, `make ${rig.home.folder}/made`, "--max-iterations", "3");
        await eventually(async () =>
          (await rig.sessions()).some(
            ({ state }) => existsSync(join(rig.home.folder, "made")) && state === "idle",
          ),
        );
        rig.phone.user.send(`stop ${LABEL}`);
        const between = await second.ended;
        expect(between.stderr).toContain("stopped remotely after turn 1");
        expect(between.code).toBe(1);
      },
      { exec: { turns_per_hour: 1 } },
    ));

  it("continues where it was interrupted, with its session, its count and its cost", () =>
    withRig(async (rig) => {
      const args = ["run touch a", "--max-iterations", "2"] as const;
      const first = job(rig, ...args);
      await (await rig.phone.card(LABEL)).pressWords("1. Yes");
      await rig.phone.card(LABEL, 2);
      first.kill("SIGTERM");
      expect((await first.ended).code).toBe(143);
      const second = job(rig, ...args, "--json");
      await (await rig.phone.card(LABEL, 3)).pressWords("1. Yes");
      const end = await second.ended;
      expect(end.stderr).toContain("resuming with turn 2 of 2, in session session-1");
      expect(events(end).at(-1)).toMatchObject({
        exit_code: 0,
        iterations: 2,
        session: "session-1",
        total_usd: 1,
      });
    }));
});

describe("the arguments of exec", () => {
  it("show what exec would start, and are refused where the task is missing, given twice, or empty", () =>
    withRig(async (rig) => {
      const { home } = rig;
      const file = join(home.folder, "task");
      writeFileSync(file, "do it");
      const tool = join(home.folder, "claude");
      const { stdout } = await home.run(
        "exec",
        tool,
        "--prompt-file",
        file,
        "--session",
        "abc",
        "--allow-tools",
        "Bash(git *)",
        "--dry-run",
      );
      expect(stdout).toBe(
        `claude: ${tool} -p --output-format stream-json --permission-mode default --verbose --include-partial-messages --allowedTools ` +
          "'Bash(git *)' --resume abc --input-format stream-json --permission-prompt-tool stdio (not installed)\n",
      );
      for (const task of [
        [],
        ["--prompt", "a", "--prompt-file", file],
        ["--prompt", " "],
        ["--prompt-file", "/nowhere"],
      ])
        expect(await home.run("exec", "claude", ...task)).toMatchObject({ code: 1, stdout: "" });
    }));

  it("are refused with a misspelt name of a tool's own tools, an option as session, or a tool without an adapter", () =>
    withRig(async ({ home }) => {
      const misspelt = await home.run("exec", "claude", "--prompt", "x", "--allow-tools", "Bsh");
      expect(misspelt).toMatchObject({ code: 1 });
      expect(misspelt.stderr).toContain('Did you mean "Bash"?');
      const option = await home.run(
        "exec",
        "claude",
        "--prompt",
        "x",
        "--session=--dangerously-skip-permissions",
      );
      expect(option.stderr).toContain("that is no session id");
      const unknown = await home.run("exec", "bash", "--prompt", "x");
      expect(unknown.stderr).toContain("no adapter says how to run bash headless");
    }));
});
