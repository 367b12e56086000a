/** No notification, request or answer that the protocol's schema allows ends a session with an agent. */
import { afterEach, describe, expect, it } from "vitest";
import { rawAgent, type OpenAgent } from "../../../../support/acp-agent.js";
import { protocolSchema, type Line } from "../../../../support/acp-schema.js";
import { waitFor } from "../../../../support/wait-for.js";

const open: OpenAgent[] = [];
afterEach(async () => {
  for (const agent of open.splice(0)) await agent.dispose();
});

const answer = (result: object): object => ({ jsonrpc: "2.0", id: "$ID", result });
const told = (method: string, params: object): object => ({ jsonrpc: "2.0", method, params });
const update = (one: object): object => told("session/update", { sessionId: "s", update: one });
const said = (text: string): object =>
  update({ sessionUpdate: "agent_message_chunk", messageId: "m", content: { type: "text", text } });

const GREETING = { info: { name: "raw", version: "1" }, capabilities: {} };
/** Of version 2 a turn is over when the agent rests. */
const OVER = [
  answer({ stopReason: "end_turn" }),
  update({ sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" }),
];

describe.each([1, 2] as const)("an agent of version %s", (version) => {
  const schema = protocolSchema(version);

  it.each(schema.methods("Notification", "client"))(
    "may send every form of the notification %s",
    async (method) => {
      const all = schema.instances("Notification", method);
      expect(
        all.filter((each) => schema.problem("Notification", method, each) === null).length,
      ).toBeGreaterThan(1);
      const agent = rawAgent({
        initialize: [answer({ protocolVersion: version, ...GREETING })],
        "session/new": [answer({ sessionId: "s" })],
        "session/prompt#1": [...all.map((params) => told(method, { ...params, sessionId: "s" })), ...OVER],
        "session/prompt#2": [said("still here"), ...OVER],
      });
      open.push(agent);
      await agent.adapter.ready;
      expect((await agent.adapter.prompt("one")).problem).toBeNull();
      expect(await agent.adapter.prompt("two")).toMatchObject({ problem: null });
      await waitFor(() => expect(agent.shown()).toContain("still here"));
      expect(await agent.adapter.snapshotContext()).toMatchObject({ ptyAlive: true });
    },
  );

  it.each(schema.methods("Request", "client"))("may send every form of the request %s", async (method) => {
    const all = schema.instances("Request", method);
    expect(all.filter((each) => schema.problem("Request", method, each) === null).length).toBeGreaterThan(1);
    const asked = all.map((params, at) => ({
      jsonrpc: "2.0",
      id: `q${at}`,
      method,
      params: { ...params, sessionId: "s" },
    }));
    const agent = rawAgent(
      {
        initialize: [answer({ protocolVersion: version, ...GREETING })],
        "session/new": [answer({ sessionId: "s" })],
        "session/prompt#1": [...asked, ...OVER],
        "session/prompt#2": [said("still here"), ...OVER],
      },
      { services: { offers: ["read_files", "write_files", "terminals"], offLimits: [] } },
    );
    open.push(agent);
    await agent.adapter.ready;
    expect((await agent.adapter.prompt("one")).problem).toBeNull();
    const answers = (): Line[] =>
      agent
        .noted()
        .map((line) => JSON.parse(line) as Line)
        .filter(({ method: own }) => own === undefined);
    // Each is answered, or asked of people.
    await waitFor(async () => {
      const { promptCount } = await agent.adapter.snapshotContext();
      expect(answers().length + promptCount).toBeGreaterThanOrEqual(all.length);
    });
    expect(await agent.adapter.prompt("two")).toMatchObject({ problem: null });
    await waitFor(() => expect(agent.shown()).toContain("still here"));
    expect(await agent.adapter.snapshotContext()).toMatchObject({ ptyAlive: true });
  });

  it("may send every form of an answer", async () => {
    const takeUp = version === 1 ? "session/load" : "session/resume";
    const of = (method: string): readonly object[] => schema.instances("Response", method);
    for (let kind = 0; kind < 5; kind += 1) {
      const at = (method: string, must: object = {}): object => answer({ ...of(method)[kind], ...must });
      const agent = rawAgent(
        {
          initialize: [at("initialize", { protocolVersion: version })],
          "session/new": [at("session/new", { sessionId: "s" })],
          [takeUp]: [at(takeUp)],
          "session/prompt": [said("words"), at("session/prompt"), OVER[1] ?? {}],
          "session/close": [at("session/close")],
        },
        // These say that they can go on with one.
        kind % 2 === 1 ? { resume: "s" } : {},
      );
      open.push(agent);
      await agent.adapter.ready;
      expect((await agent.adapter.prompt("one")).problem).toBeNull();
      await waitFor(() => expect(agent.shown()).toContain("words"));
      await agent.adapter.terminateSession((await agent.adapter.snapshotContext()).sessionId);
      expect(agent.adapter.stderrTail).toBe("");
    }
  });
});
