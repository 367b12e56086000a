/**
 * Agents use live sessions over MCP: only those that were opened to them, each command with the permission of a person or a rule, who see
 * exactly that command. A session of its own is started with a person's leave.
 */
import { expect, describe, it } from "vitest";
import { readDatabase } from "../property/hub/read-database.js";
import { eventually } from "../support/hub-home.js";
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
