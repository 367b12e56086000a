/**
 * Agents use live sessions over MCP: only those that were opened to them, each command with the permission of a person or a rule, who see
 * exactly that command. A session of its own is started with a person's leave.
 */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, describe, it } from "vitest";
import { parse, stringify } from "yaml";
import { readDatabase } from "../property/hub/read-database.js";
import { eventually, MAIN } from "../support/hub-home.js";
import { askingClient, type AskingClient } from "../support/mcp-client.js";
import { type Rig, withRig } from "../support/rig/rig.js";

const LABEL = "agent";

function withShell(
  work: (client: AskingClient, rig: Rig) => Promise<void>,
  flag = "--console-for-agents",
): Promise<void> {
  return withRig(async (rig) => {
    rig.run(["bash", "--norc"], { label: "work", flags: [flag] });
    await rig.phone.notice(/its console is open/);
    const client = await askingClient(rig.home.env, LABEL);
    try {
      await work(client, rig);
    } finally {
      await client.close();
    }
  });
}

/** An agent in the rig's folder, with a configuration that lists these programs there. */
function withAgent(
  entry: Readonly<Record<string, unknown>> | null,
  work: (client: AskingClient, rig: Rig) => Promise<void>,
): Promise<void> {
  return withRig(async (rig) => {
    writeAgents(rig, entry);
    const client = await askingClient(rig.home.env, LABEL, "tester", rig.home.folder);
    try {
      await work(client, rig);
    } finally {
      await client.close();
    }
  });
}

function writeAgents(rig: Rig, entry: Readonly<Record<string, unknown>> | null): void {
  const { config } = rig.home.paths;
  const may_start = entry ? [{ paths: [rig.home.folder], ...entry }] : [];
  const former = parse(readFileSync(config, "utf8")) as object;
  writeFileSync(config, stringify({ ...former, agents: { may_start } }));
}

/** The agent has no terminal here, so no other process may tell the hub to read its configuration again while the agent is there. */
async function applyConfig(rig: Rig): Promise<void> {
  const killed = await rig.killHub();
  await eventually(async () => {
    const pid = await rig.home.hubPid();
    return pid !== null && pid !== killed;
  });
}

function readText(result: Awaited<ReturnType<AskingClient["call"]>>): string {
  const [first] = result.content;
  return first?.type === "text" ? first.text : "";
}

function listSteps(rig: Rig): string[] {
  return readDatabase<{ step: string }>(rig.home.paths.database, "SELECT step FROM audit").map(
    ({ step }) => step,
  );
}

describe.concurrent("an agent and a shell that was opened to it", () => {
  it("runs a command that its person has seen and allowed", () =>
    withShell(async ({ call }, rig) => {
      await eventually(async () => readText(await call("list_sessions", {})).includes('"name":"work"'));
      const done = call("run_command", { session: "work", command: "cd /tmp; echo $((6 * 7)); (exit 3)" });
      const card = await rig.phone.card(LABEL);
      expect(card.text).toContain("Allow run_command?");
      expect(card.content).toContain("cd /tmp; echo $((6 * 7)); (exit 3)");
      expect(card.content).toContain("work");
      await card.pressAnswer("Yes");
      expect((await done).structuredContent).toMatchObject({
        state: "finished",
        output: "42\n",
        exit_code: 3,
        directory: "/tmp",
      });
      expect(listSteps(rig)).toEqual(expect.arrayContaining(["console_command", "console_ended"]));
    }));

  it("types nothing that its person denies", () =>
    withShell(async ({ call }, rig) => {
      await eventually(async () => readText(await call("list_sessions", {})).includes('"name":"work"'));
      const done = call("run_command", { session: "work", command: "touch made" });
      await (await rig.phone.card(LABEL)).pressAnswer("No");
      expect((await done).isError).toBe(true);
      expect(listSteps(rig)).not.toContain("console_command");
    }));

  it("waits, looks, types a line and interrupts", () =>
    withShell(async ({ call }, rig) => {
      await eventually(async () => readText(await call("list_sessions", {})).includes('"name":"work"'));
      const command = "read -r name; echo hello $name; sleep 100";
      const begun = call("run_command", { session: "work", command, timeout_seconds: 1 });
      await (await rig.phone.card(LABEL)).pressAnswer("Yes");
      expect((await begun).structuredContent).toMatchObject({ state: "running" });
      const typed = call("send_input", { session: "work", text: "Ara" });
      const second = await rig.phone.card(LABEL, 2);
      expect(second.text).toContain("Allow send_input?");
      await second.pressAnswer("Yes");
      expect((await typed).structuredContent).toEqual({ typed: true });
      await eventually(async () =>
        readText(await call("peek_screen", { session: "work" })).includes("hello Ara"),
      );
      await call("interrupt", { session: "work" });
      expect((await call("wait", { session: "work" })).structuredContent).toMatchObject({
        state: "finished",
        exit_code: 130,
        output: expect.stringContaining("hello Ara") as string,
      });
    }));

  it("starts a session of its own with its person's leave", () =>
    withShell(async ({ call }, rig) => {
      writeAgents(rig, { programs: ["python3"], paths: [process.cwd()] });
      await rig.home.run("hub", "reload");
      const started = call("start_session", { program: "python3" });
      await (await rig.phone.card(LABEL)).pressAnswer("Yes");
      expect(readText(await started)).toContain("agent-");
      const { session, program, hints } = (await started).structuredContent as Record<string, unknown>;
      expect(program).toBe("python");
      for (const told of [
        "exit codes: exit_code says how a command ended; null: it is not known",
        "mode: pdb: entered unasked; next (step over), ",
        "quit (return to toplevel)",
        "commands: only in pdb; help lists all of them",
        "breakpoint set: break {target}",
      ])
        expect(hints).toContain(told);
      expect((await call("list_sessions", {})).structuredContent).toMatchObject({
        sessions: expect.arrayContaining([
          expect.objectContaining({ program: "python", hints }),
          expect.objectContaining({ program: "bash", hints: expect.stringMatching(/^GNU Bash/) as unknown }),
        ]) as unknown,
      });
      const done = call("run_command", { session, command: "sum(range(10))" });
      await (await rig.phone.card(LABEL, 2)).pressAnswer("Yes");
      expect((await done).structuredContent).toMatchObject({ output: "45\n", mode: "main" });
    }));
});

describe.concurrent("an agent and a shell that was not opened to it", () => {
  it("neither sees it nor types into it, and is told who opens it", () =>
    withShell(async ({ call }, rig) => {
      expect((await call("list_sessions", {})).structuredContent).toEqual({ sessions: [] });
      const refused = await call("run_command", { session: "work", command: "touch made" });
      expect(readText(refused)).toMatch(/no session "work" is open to you.*console agents SESSION/);
      expect(rig.phone.cards).toEqual([]);
    }, "--console"));

  it("sees it once its person opens it to agents, and no longer when that is taken back", () =>
    withRig(async (rig) => {
      rig.run(["bash", "--norc"], { label: "work", flags: ["--console"] });
      await rig.phone.notice(/its console is open/);
      const look = async (): Promise<string> => {
        const client = await askingClient(rig.home.env, LABEL);
        const seen = readText(await client.call("list_sessions", {}));
        await client.close();
        return seen;
      };
      expect((await rig.home.run("console", "agents", "work")).stdout).toContain("also to agents");
      expect(await look()).toContain('"name":"work"');
      expect((await rig.home.run("console", "on", "work")).code).toBe(0);
      expect(await look()).toBe('{"sessions":[]}');
    }));
});

describe.concurrent("an agent that starts sessions", () => {
  it("starts none that the configuration does not list, and nobody is asked", () =>
    withAgent(null, async ({ call }, rig) => {
      const none = await call("start_session", { program: "python3" });
      expect(none.isError).toBe(true);
      expect(readText(none)).toMatch(
        /^nothing was started: python3 in \S+ is not listed under agents\.may_start .*: no program is allowed$/,
      );
      writeAgents(rig, { programs: ["bash"], paths: [rig.home.folder, "/srv"] });
      await applyConfig(rig);
      for (const program of ["python3", "/usr/bin/bash", "./bash"]) {
        const refused = readText(await call("start_session", { program }));
        expect(refused).toContain(`allowed are bash in ${rig.home.folder}, /srv`);
      }
      expect(rig.phone.cards).toEqual([]);
      expect(listSteps(rig).filter((step) => step === "console_refused")).toHaveLength(4);
    }));

  it("starts none in a folder that is not listed, whatever a link to a listed one is called", () =>
    withAgent({ programs: ["bash"] }, async (_, rig) => {
      const [listed, other] = ["listed", "other"].map((name) => join(rig.home.folder, name));
      mkdirSync(listed!);
      mkdirSync(other!);
      symlinkSync(other!, join(listed!, "link"));
      writeAgents(rig, { programs: ["bash"], paths: [listed!] });
      const inside = await askingClient(rig.home.env, "linked", "tester", join(listed!, "link"));
      expect(readText(await inside.call("start_session", { program: "bash" }))).toContain("is not listed");
      await inside.close();
    }));

  it("starts a file of its own folder only by a listed path", () =>
    withAgent({ programs: ["bash"] }, async (_, rig) => {
      const bin = join(rig.home.folder, "bin");
      mkdirSync(bin);
      symlinkSync("/bin/bash", join(bin, "bash"));
      writeAgents(rig, { programs: ["bash", join(bin, "bash")], ask: false });
      const PATH = `${bin}:${process.env["PATH"]}`;
      const fooled = await askingClient({ ...rig.home.env, PATH }, LABEL, "tester", rig.home.folder);
      const refused = await fooled.call("start_session", { program: "bash" });
      expect(readText(refused)).toBe(
        `nothing was started: bash would start ${bin}/bash, which is in your own folder. Your person can list it by its path (agents.may_start)`,
      );
      const byPath = await fooled.call("start_session", { program: join(bin, "bash") });
      expect(byPath.structuredContent).toMatchObject({ program: "bash" });
      await fooled.close();
      expect(rig.phone.cards).toEqual([]);
    }));

  it("starts one without a card where the configuration says so, which people see, as well as each command", () =>
    withAgent({ programs: ["/bin/bash"], ask: false }, async ({ call }, rig) => {
      const started = (await call("start_session", { program: "/bin/bash" })).structuredContent;
      const { session } = started as { session: string };
      expect(rig.phone.cards).toEqual([]);
      const [agent, own] = ["tester", "bash"].map((tool) =>
        rig.sessions().then((all) => all.find((each) => each.tool === tool)),
      );
      expect((await own)?.inside).toBe((await agent)?.sessionId);
      const watch = rig.start([process.execPath, MAIN, "watch"]);
      await watch.terminal.waitFor(/bash \(agent-/);
      await rig.phone.notice(/bash \(agent-.*its console is open/);
      const done = call("run_command", { session, command: "echo $((6 * 7))" });
      await watch.terminal.waitFor(/Allow run_command/);
      const card = await rig.phone.card(LABEL);
      expect(card.content).toContain("echo $((6 * 7))");
      await card.pressAnswer("Yes");
      expect((await done).structuredContent).toMatchObject({ output: "42\n", exit_code: 0 });
      const asked = call("start_session", { program: "/bin/bash", arguments: ["-c", "touch made"] });
      const second = await rig.phone.card(LABEL, 2);
      expect(second.content).toContain("touch made");
      await second.pressAnswer("No");
      expect((await asked).isError).toBe(true);
    }));

  it("starts none that is listed no longer when its person says yes, and is told so", () =>
    withAgent({ programs: ["bash"] }, async ({ call }, rig) => {
      const begun = call("start_session", { program: "bash" });
      const card = await rig.phone.card(LABEL);
      writeAgents(rig, null);
      await applyConfig(rig);
      await card.pressAnswer("Yes");
      expect(readText(await begun)).toMatch(/^nothing was started: bash in \S+ is not listed/);
      expect((await rig.sessions()).map(({ tool }) => tool)).toEqual(["tester"]);
    }));

  it("loses its session when the configuration lists it no longer", () =>
    withAgent({ programs: ["/bin/bash"], ask: false }, async ({ call }, rig) => {
      const started = (await call("start_session", { program: "/bin/bash" })).structuredContent;
      const { session } = started as { session: string };
      writeAgents(rig, { programs: ["python3"], ask: false });
      await applyConfig(rig);
      expect((await call("list_sessions", {})).structuredContent).toEqual({ sessions: [] });
      expect(readText(await call("peek_screen", { session }))).toContain("is open to you");
      expect(readText(await call("start_session", { program: "/bin/bash" }))).toContain(
        "allowed are python3",
      );
    }));

  it("has no use of one that it has started beside us", () =>
    withShell(async ({ call }, rig) => {
      await rig
        .run(["bash", "--norc"], { label: "tool" })
        .terminal.submit(`${process.execPath} ${MAIN} run --console-for-agents --label beside bash`);
      await rig.phone.notice(/bash \(beside\): its console is open/);
      expect((await call("list_sessions", {})).structuredContent).toMatchObject({
        sessions: [{ name: "work" }],
      });
      expect(readText(await call("run_command", { session: "beside", command: "id" }))).toContain(
        'no session "beside" is open to you',
      );
    }));
});
