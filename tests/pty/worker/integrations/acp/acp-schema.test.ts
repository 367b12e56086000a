/** Every message that we send to an agent matches the protocol's schema, in the version that was agreed on. */
import { afterEach, describe, expect, it } from "vitest";
import { rawAgent, type OpenAgent } from "../../../../support/acp-agent.js";
import { problemsIn, protocolSchema, type Line } from "../../../../support/acp-schema.js";
import { waitFor } from "../../../../support/wait-for.js";

const open: OpenAgent[] = [];

afterEach(async () => {
  for (const agent of open.splice(0)) await agent.dispose();
});

const answer = (result: object) => ({ jsonrpc: "2.0", id: "$ID", result });
const refusal = (code: number) => ({ jsonrpc: "2.0", id: "$ID", error: { code, message: "no" } });
const request = (id: string, method: string, params: object) => ({
  jsonrpc: "2.0",
  id,
  method,
  params: { sessionId: "s", ...params },
});

const OPTIONS = [
  { optionId: "once", name: "Yes", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" },
];
const permission = (id: string) =>
  request(id, "session/request_permission", {
    title: "Build",
    toolCall: { toolCallId: id, title: "make" },
    options: OPTIONS,
  });
const elicitation = (id: string, mode: object) =>
  request(id, "elicitation/create", { message: `Question ${id}?`, ...mode });
const FORM = {
  mode: "form",
  requestedSchema: {
    type: "object",
    properties: { colour: { type: "string", enum: ["red"] }, count: { type: "integer" } },
    required: ["colour", "count"],
  },
};
const PAGE = { mode: "url", url: "https://example.com/in", elicitationId: "e" };

/** What was asked of us, by id, so that our answers can be judged. */
const ASKED: Readonly<Record<string, string>> = {
  given: "session/request_permission",
  taken: "session/request_permission",
  filled: "elicitation/create",
  declined: "elicitation/create",
  agreed: "elicitation/create",
};

describe.each([1, 2] as const)("what we say to an agent of version %s", (version) => {
  it("matches the protocol's schema in each message", async () => {
    const agent = rawAgent({
      initialize: [
        answer({
          protocolVersion: version,
          authMethods: [{ id: "key", name: "Key", methodId: "key", type: "agent" }],
          info: { name: "raw", version: "1" },
          capabilities: {},
        }),
      ],
      "session/new#1": [refusal(-32000)],
      authenticate: [answer({})],
      "auth/login": [answer({})],
      "session/new#2": [
        answer({ sessionId: "s" }),
        permission("given"),
        elicitation("filled", FORM),
        elicitation("declined", FORM),
        elicitation("agreed", PAGE),
      ],
      "session/prompt": [permission("taken")],
    });
    open.push(agent);
    const { adapter, raised, noted } = agent;
    const here = async (value: string) => adapter.answerHere((await raised()).promptId, value);
    await here("1");
    await adapter.ready;
    expect([await here("1"), await here("red\n3"), await here("decline"), await here("1")]).toEqual([
      null,
      null,
      null,
      null,
    ]);
    void adapter.prompt("go");
    await raised();
    adapter.cancel();
    await waitFor(() => expect(noted().some((line) => line.includes("session/cancel"))).toBe(true));
    await waitFor(() => expect(noted().some((line) => line.includes('"taken"'))).toBe(true));

    const schema = protocolSchema(version);
    const said = noted().map((line) => JSON.parse(line) as Line);
    expect(problemsIn(schema, said, (id) => ASKED[String(id)] ?? "")).toEqual([]);
    const ours = new Set(said.map(({ method, id }) => method ?? String(id)));
    const signIn = version === 1 ? "authenticate" : "auth/login";
    expect([...ours]).toEqual(
      expect.arrayContaining(["initialize", signIn, "session/new", "session/prompt", ...Object.keys(ASKED)]),
    );
  });
});

it("each answer to an agent that we serve matches the schema", async () => {
  const terminal = { terminalId: "terminal-1" };
  const asked = [
    ["fs/write_text_file", { path: "$CWD/a", content: "a\nb\n" }],
    ["fs/read_text_file", { path: "$CWD/a", line: 1, limit: 1 }],
    ["terminal/create", { command: "true" }],
    ["terminal/output", terminal],
    ["terminal/wait_for_exit", terminal],
    ["terminal/kill", terminal],
    ["terminal/release", terminal],
  ] as const;
  const agent = rawAgent(
    (folder) => ({
      initialize: [answer({ protocolVersion: 1 })],
      "session/new": [answer({ sessionId: "s" })],
      "session/prompt": asked.map(([method, params]) =>
        JSON.stringify(request(method, method, params)).replace("$CWD", folder),
      ),
    }),
    { services: { offers: ["read_files", "write_files", "terminals"], offLimits: [] } },
  );
  open.push(agent);
  await agent.adapter.ready;
  void agent.adapter.prompt("go");
  const answers = (): Line[] =>
    agent
      .noted()
      .map((line) => JSON.parse(line) as Line)
      .filter(({ method }) => method === undefined);
  await waitFor(() => expect(answers()).toHaveLength(asked.length));
  const schema = protocolSchema(1);
  const problems = answers().map(({ id, result }) => schema.problem("Response", String(id), result));
  expect(problems).toEqual(asked.map(() => null));
});

it.each([1, 2] as const)(
  "each request to an agent of version %s about its session matches the schema",
  async (version) => {
    const configOptions = [
      {
        id: "m",
        configId: "m",
        name: "M",
        type: "select",
        currentValue: "a",
        options: [{ value: "b", name: "B" }],
      },
      { id: "f", configId: "f", name: "F", type: "boolean", currentValue: false },
    ];
    const modes = { currentModeId: "x", availableModes: [{ id: "y", name: "Y" }] };
    const opened = answer({ configOptions, ...(version === 1 && { modes }) });
    const sessionCapabilities = { close: {}, list: {} };
    const agent = rawAgent(
      {
        initialize: [
          answer({
            protocolVersion: version,
            agentCapabilities: { loadSession: true, sessionCapabilities },
            info: { name: "raw", version: "1" },
            capabilities: {},
          }),
        ],
        "session/load": [opened],
        "session/resume": [opened],
        "session/set_mode": [answer({})],
        "session/set_config_option": [answer({ configOptions })],
        "session/close": [answer({})],
      },
      { resume: "earlier" },
    );
    open.push(agent);
    await agent.adapter.ready;
    for (const line of [":set m b", ":set f on", ":set mode y"]) await agent.adapter.commands.take(line);
    await agent.adapter.terminateSession((await agent.adapter.snapshotContext()).sessionId);
    const schema = protocolSchema(version);
    const said = agent.noted().map((line) => JSON.parse(line) as Line);
    const problems = said.flatMap(
      ({ method = "", params }) => schema.problem("Request", method, params) ?? [],
    );
    expect(problems).toEqual([]);
    expect(said.map(({ method }) => method)).toEqual([
      "initialize",
      version === 1 ? "session/load" : "session/resume",
      "session/set_config_option",
      "session/set_config_option",
      ...(version === 1 ? ["session/set_mode"] : []),
      "session/close",
    ]);
  },
);
