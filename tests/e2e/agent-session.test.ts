/**
 * A session with an agent runs its turns on a terminal, without one, and without a hub. Cancelling a turn ends its questions, and
 * a session without a person or a hub refuses what it cannot ask.
 */
import { execFile } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { readDatabase } from "../property/hub/read-database.js";
import { finished, HubHome, MAIN } from "../support/hub-home.js";
import { KEYS } from "../support/real-cli/terminal.js";
import type { Run } from "../support/rig/run.js";
import { type Rig, withRig } from "../support/rig/rig.js";
import { waitFor } from "../support/wait-for.js";

const AGENT = resolve("tests/fixtures/agents/acp-agent.mjs");
const CTRL_D = "\u0004";
const IDLE = /^› *$/m;
const ASKS = /1\. Always allow\n *2\. Allow\n *3\. Reject/;

/** A session with the scripted agent in a terminal, ready for its first task. */
async function talk(rig: Rig) {
  const log = join(rig.home.folder, "noted");
  const flags = ["--runtime", "acp"];
  const run = rig.run([process.execPath, AGENT, "tasks", log], { flags });
  await run.terminal.waitFor(IDLE);
  const noted = (): string[] =>
    existsSync(log) ? readFileSync(log, "utf8").split("\n").filter(Boolean) : [];
  return { run, noted };
}

async function task(run: Run, text: string): Promise<void> {
  run.terminal.press(text);
  await run.terminal.waitFor(new RegExp(`› ${text}`));
  run.terminal.press(KEYS.enter);
}

/** The prompt must have been on the screen for a moment. */
async function answer(run: Run, value: string): Promise<void> {
  run.terminal.press(value);
  await run.terminal.waitFor(new RegExp(`answer › ${value}`));
  run.terminal.press(KEYS.enter);
}

describe.concurrent("a session with an agent that is talked to", () => {
  it("takes tasks and answers on a line with a history, and leaves the terminal as it was", () =>
    withRig(async (rig) => {
      const { run, noted } = await talk(rig);
      await task(run, "edit");
      await run.terminal.waitFor(ASKS);
      expect(run.terminal.screen).toMatch(/\? run edit-1\n *\/src\/a\.ts\n +one\n *-two\n *\+2/);
      await run.terminal.settled();
      await answer(run, "3");
      await run.terminal.waitFor(/→ Reject/);
      await waitFor(() => expect(noted().at(-1)).toContain("opt-no"));
      await run.terminal.waitFor(IDLE);
      run.terminal.press(KEYS.up);
      await run.terminal.waitFor(/^› edit$(?![^]*^› edit$)/m);
      run.terminal.press("\u0015");
      await run.terminal.waitFor(IDLE);
      run.terminal.press(CTRL_D);
      expect(await run.exited).toBe(0);
    }));

  it("names the agent, lets its person choose settings, and says how to continue the session", () =>
    withRig(async (rig) => {
      const { run } = await talk(rig);
      expect(run.terminal.screen).toContain("scripted 1.0.0 · Mode: Default · Model: Small one");
      await task(run, ":set model big");
      await run.terminal.waitFor(/^Model: Big one$/m);
      await run.terminal.waitFor(IDLE);
      run.terminal.press(CTRL_D);
      expect(await run.exited).toBe(0);
      expect(run.terminal.screen).toMatch(/To resume: atlasbridge run --runtime acp --session session-1/);
    }));

  it("asks on the phone as well, and says in the terminal that the answer came from there", () =>
    withRig(async (rig) => {
      const { run, noted } = await talk(rig);
      await task(run, "ask rm -r build");
      const card = await run.card();
      expect(card.text).toContain("rm -r build");
      expect(card.buttons).toEqual(["1. Always allow", "2. Allow", "3. Reject"]);
      await run.pressWithNumber(card, 2);
      expect(await card.settled()).toBe("✅ Allow, by Ara, taken by node");
      await run.terminal.waitFor(/→ Allow \(answered remotely\)/);
      expect(noted().at(-1)).toContain("opt-once");
    }));

  it("settles the card when its person answers here", () =>
    withRig(async (rig) => {
      const { run } = await talk(rig);
      await task(run, "ask ls");
      const card = await run.card();
      await run.terminal.settled();
      await answer(run, "2");
      expect(await card.settled()).toMatch(/Answered at the terminal/);
    }));

  it("cancels its turn and its questions on Esc", () =>
    withRig(async (rig) => {
      const { run, noted } = await talk(rig);
      await task(run, "ask-and-wait");
      const card = await run.card(2);
      run.terminal.press(KEYS.esc);
      await run.terminal.waitFor(/Cancelled\./);
      await card.settled();
      expect(noted().at(-1)).toBe(
        '[{"outcome":{"outcome":"cancelled"}},{"outcome":{"outcome":"cancelled"}}]',
      );
      await run.terminal.waitFor(IDLE);
    }));
});

describe("a session with an agent, no terminal and no hub yet", () => {
  /** From a pipe, in a home that nobody has served yet. With a damaged database nobody ever will. */
  async function cold(mode: string, { isDamaged = false } = {}) {
    const home = new HubHome();
    try {
      if (isDamaged) damage(home);
      const log = join(home.folder, "noted");
      const agent = [process.execPath, AGENT, "tasks", log];
      const child = home.start("run", "--runtime", "acp", "--acp-permission-mode", mode, ...agent);
      child.stdin?.end("ask rm -r build\nsay done\n");
      const ran = await finished(child);
      return {
        ...ran,
        noted: readFileSync(log, "utf8"),
        decided: mode === "auto_approve" && !isDamaged ? decidedIn(home) : [],
      };
    } finally {
      await home.close();
    }
  }
  const decidedIn = ({ paths: { database } }: HubHome): unknown[] =>
    readDatabase(database, "SELECT 1 FROM audit WHERE step = 'permission_decided'");
  const damage = (home: HubHome): void =>
    writeFileSync(home.paths.database, "no database ".repeat(1000), { mode: 0o600 });

  it("refuses all under deny_all and asks nobody", async () => {
    const { stdout, noted, code } = await cold("deny_all");
    expect(noted).toContain("opt-no");
    expect(stdout).toContain("✗ refused automatically (deny_all): run rm -r build");
    expect(stdout).toContain("done");
    expect(code).toBe(0);
  });

  it("allows under auto_approve only what is on record", async () => {
    const { stdout, noted, decided } = await cold("auto_approve");
    expect(noted).toContain("opt-once");
    expect(stdout).toContain("✓ allowed automatically (auto_approve): run rm -r build");
    expect(decided).toHaveLength(1);
  });

  it.each(["ask", "deny_all", "auto_approve"])(
    "refuses all under %s where no hub can be had, and waits for nobody",
    async (mode) => {
      const { stdout, stderr, noted, code } = await cold(mode, { isDamaged: true });
      expect(noted).toContain("opt-no");
      expect(stdout).toContain("done");
      expect(stderr).toContain("ATB_STORE_DAMAGED");
      expect(code).toBe(0);
    },
  );
});

describe("a session with an agent and no terminal", () => {
  /** What comes out, and the exit code. */
  function piped(
    input: string,
    ...args: string[]
  ): Promise<{ out: string; err: string; code: number | null }> {
    const home = new HubHome();
    const command = [MAIN, "run", "--runtime", "acp", "--no-relay", ...args];
    return new Promise((done) => {
      const child = execFile(process.execPath, command, { env: home.env }, (_, out, err) => {
        void home.close().then(() => done({ out, err, code: child.exitCode }));
      });
      child.stdin?.end(input);
    });
  }
  const agent = [process.execPath, AGENT, "tasks"];

  it("does one line after the other, and ends when all are done", async () => {
    expect(await piped("say one\n\nsay two", ...agent)).toEqual({ out: "one\ntwo\n", err: "", code: 0 });
  });

  it("ends in failure when a task failed", async () => {
    const { out, code } = await piped("fail\nsay on\n", ...agent);
    expect(out).toContain("the model is out");
    expect(out).toContain("on\n");
    expect(code).toBe(1);
  });

  it("refuses what the agent asks where nobody can answer, and waits for nobody", async () => {
    const { out, code } = await piped("ask rm -r build\nform\nsay done", ...agent);
    expect(out).toContain("? run rm -r build → refused: nobody can answer");
    expect(out).toContain("? Which colour? → refused");
    expect(out).toContain("done");
    expect(code).toBe(0);
  });

  it("shows the output of a program that is not an agent", async () => {
    const { err, code } = await piped("say x\n", "sh", "-c", "echo no such option >&2; exit 9");
    expect(err).toContain("no such option");
    expect(err).toContain("did not start a session");
    expect(code).toBe(3);
  });

  it("says what it would start, by the adapter file of the agent", async () => {
    const { out } = await piped("", "--dry-run", "/opt/bin/gemini", "-m", "x");
    expect(out).toBe("gemini: /opt/bin/gemini --acp -m x (not installed)\npermissions: ask\n");
    expect((await piped("", "--dry-run", ...agent)).out).not.toContain("not installed");
  });

  it("prints no defaults as configured where the configuration is invalid", async () => {
    const home = new HubHome();
    const show = (config: string) => {
      writeFileSync(home.paths.config, config, { mode: 0o600 });
      return home.run("run", "--runtime", "acp", "--dry-run", "gemini");
    };
    try {
      const acp = "adapters:\n    acp: { permission_mode: deny_all }\n";
      const { stdout, stderr, code } = await show(`prompts:\n  deliver_after: 0s\n  ${acp}`);
      expect({ stdout, code }).toEqual({ stdout: "", code: 2 });
      expect(stderr).toContain('unknown key "prompts.adapters"');
      const other = await show(`people: 5\n${acp}`);
      expect(other.stdout).toContain("permissions: deny_all\n");
      expect(other.stderr).toContain(':1:9: "people": expected Array, found 5');
    } finally {
      await home.close();
    }
  });

  it("continues an earlier session, and lists the sessions that there are", async () => {
    expect((await piped("", "--list-sessions", ...agent)).out).toBe(
      "session-1\t2026-01-02T00:00:00Z\tthe ‹U+001B›[31mtask\nsession-2\n",
    );
    const { out, code } = await piped("say on", "--session", "session-1", ...agent);
    expect({ out, code }).toEqual({ out: "› the task\nthe answer\non\n", code: 0 });
    const unknown = await piped("", "--session", "session-9", ...agent);
    expect(unknown.err).toMatch(/the agent has no session "session-9"[^]*--list-sessions/);
    expect(unknown.err).not.toContain("sign in");
    expect((await piped("", "--session", "", ...agent)).err).toContain("this is not a session id");
  });

  it("names a missing argument, and an argument that means nothing", async () => {
    expect((await piped("", "no-such-agent")).err).toContain('"no-such-agent" was not found');
    expect((await piped("", "claude")).err).toMatch(
      /claude-agent-acp is not installed: npm install -g @agentclientprotocol\/claude-agent-acp/,
    );
    expect((await piped("", "--ask", ...agent)).err).toContain("--ask cannot be used with --runtime acp");
    const alone = await piped("", "--runtime", "pty", "--acp-agent", "gemini");
    expect(alone.err).toContain("--acp-agent requires --runtime acp");
    const nothing = await piped("", "--runtime", "pty");
    expect(nothing.err).toContain("name the tool to run: atlasbridge run --ask TOOL");
  });
});
