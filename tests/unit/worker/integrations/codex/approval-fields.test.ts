/** Each field of a codex request, by codex's own schema, is on the card or is listed here as left out. A new field fails these tests. */
import { describe, expect, it } from "vitest";
import type { Json } from "../../../../../src/model/data/json.js";
import { NOT_SHOWN, NOT_SHOWN_OF_TOOL } from "../../../../../src/worker/integrations/codex/approvals.js";
import { createCodexRequest } from "../../../../../src/worker/integrations/codex/questions.js";
import { DEFINITIONS, listFields } from "../../../../support/app-server-schema/kept.js";
import { fullest } from "../../../../support/schema-instances.js";

/** By the name of the request's parameters: its method, and the fields that people read. */
const APPROVALS = [
  {
    name: "CommandExecutionRequestApprovalParams",
    method: "item/commandExecution/requestApproval",
    shown: ["command", "cwd", "reason", "environmentId", "additionalPermissions", "networkApprovalContext"],
  },
  {
    name: "FileChangeRequestApprovalParams",
    method: "item/fileChange/requestApproval",
    shown: ["reason", "grantRoot"],
  },
  {
    name: "PermissionsRequestApprovalParams",
    method: "item/permissions/requestApproval",
    shown: ["permissions", "cwd", "reason", "environmentId"],
  },
];

/** Of questions and forms, what is on no card, and why; all else is. */
const BESIDE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ToolRequestUserInputParams: {
    threadId: "a name by which the server knows the thread",
    turnId: "a name by which the server knows the turn",
    itemId: "a name by which the server knows the call",
    isBlocking: "it waits for the answer, whoever else does",
    autoResolutionMs: "of older versions; what the server takes back is withdrawn when it does",
  },
  ToolRequestUserInputQuestion: {
    id: "a name by which the server knows the question",
    header: "a word for the question, which stands on the card",
    isOther: "words of one's own are always taken",
    isSecret: "such a question is asked of nobody",
  },
  McpServerElicitationRequestParams: {
    threadId: "a name by which the server knows the thread",
    turnId: "a name by which the server knows the turn",
    elicitationId: "a name by which the server knows the page",
    mode: "what is asked depends on it",
    challenge: "of a mode that is asked of nobody",
    title: "of a mode that is asked of nobody",
    description: "of a mode that is asked of nobody",
  },
};

function told(field: string, value: unknown): unknown {
  if (typeof value === "string") return `${field} as told`;
  if (Array.isArray(value)) return value.map((each) => told(field, each));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, told(field, each)]));
}

const textFor = (method: string, params: Json): string =>
  createCodexRequest(method, params, null, "/srv")?.prompt.content.text ?? "";

describe.each(APPROVALS)("a request for approval: $name", ({ name, method, shown }) => {
  it("has only fields that are listed here as shown or left out", () => {
    const said = [...shown, ...Object.keys(NOT_SHOWN)];
    expect(listFields(name).filter((field) => !said.includes(field))).toEqual([]);
    expect(shown.filter((field) => !listFields(name).includes(field))).toEqual([]);
  });

  it.each(shown)("shows %s", (field) => {
    const [params = {}] = fullest(DEFINITIONS[name] ?? {}, DEFINITIONS, 1) as Json[];
    const text = textFor(method, { ...params, [field]: told(field, params[field]) });
    expect(text).toContain(`${field} as told`);
  });
});

describe("a request for approval", () => {
  const command = "item/commandExecution/requestApproval";

  it("names the environment where it is not this machine", () => {
    expect(textFor(command, { command: "ls", environmentId: "local" })).toBe("ls");
    expect(textFor(command, { command: "ls", environmentId: "prod-7" })).toBe("ls\nenvironmentId: prod-7");
  });

  it("shows unknown fields", () => {
    expect(textFor(command, { command: "ls", asRoot: true })).toBe("ls\nasRoot: true");
  });

  it("says what a yes does: run, write to a running process, reach a host; an unknown kind is not raised", () => {
    const question = (params: Json): string | undefined =>
      createCodexRequest(command, { command: "ls", ...params }, null, "/srv")?.prompt.question;
    expect(question({})).toBe("Run this command?");
    expect(question({ kind: "command" })).toBe("Run this command?");
    expect(question({ kind: "writeStdin" })).toBe("Send this input to the running program?");
    expect(question({ networkApprovalContext: { host: "a.example", protocol: "https" } })).toBe(
      "Allow this network access?",
    );
    for (const kind of ["humanCommand", "tomorrow"]) expect(question({ kind }), kind).toBeUndefined();
  });

  it("offers rules for hosts in their words", () => {
    const rule = (action: string): Json => ({
      applyNetworkPolicyAmendment: { network_policy_amendment: { action, host: "a.example" } },
    });
    const availableDecisions = ["accept", rule("allow"), rule("deny"), rule("else"), "tomorrow"];
    const asking = createCodexRequest(command, { command: "curl", availableDecisions }, null, "/srv");
    expect(asking?.prompt.choices.map(({ label, intent }) => [label, intent])).toEqual([
      ["Yes", "allow_once"],
      ["Yes, and don't ask again for a.example", "allow_always"],
      ["No, and block a.example", "reject_always"],
      ["No", "reject_once"],
      ["No, and stop the turn", "reject_once"],
    ]);
    expect(asking?.answer({ value: "3" })).toEqual({ result: { decision: rule("deny") } });
  });
});

describe("wider permissions", () => {
  const permissions = { network: { enabled: true }, fileSystem: { write: ["/opt"] } };
  const asking = createCodexRequest(
    "item/permissions/requestApproval",
    { ...{ threadId: "t", turnId: "u", itemId: "i", startedAtMs: 1 }, cwd: "/srv", permissions },
    null,
    "/srv",
  );

  it("are granted as they were asked for, for the turn or the session, or not at all", () => {
    expect(asking?.prompt.content.text).toContain("/opt");
    const answers = ["1", "2", "3"].map((value) => asking?.answer({ value }));
    expect(answers).toEqual([
      { result: { permissions, scope: "turn" } },
      { result: { permissions, scope: "session" } },
      { result: { permissions: {}, scope: "turn" } },
    ]);
    expect([asking?.cancelled, asking?.refused]).toEqual([
      { permissions: {}, scope: "turn" },
      { permissions: {}, scope: "turn" },
    ]);
  });

  it("are not raised where they are not named", () => {
    for (const none of [{}, null, "all"])
      expect(
        createCodexRequest("item/permissions/requestApproval", { permissions: none }, null, "/srv"),
      ).toBeNull();
  });
});

describe("a call of an MCP server's tool", () => {
  const meta = {
    codex_approval_kind: "mcp_tool_call",
    persist: ["session", "always", "tomorrow"],
    tool_name: "deploy",
    tool_description: "Deploy the app",
    tool_params: { target: "prod", dry_run: false },
    tool_params_display: [{ name: "target", value: "…" }],
  };
  const call = {
    serverName: "ops",
    mode: "form",
    message: 'Allow the ops MCP server to run tool "deploy"?',
    requestedSchema: { type: "object", properties: {} },
    _meta: meta,
  };
  const asked = (params: Json) => createCodexRequest("mcpServer/elicitation/request", params, null, "/srv");

  it("is raised with its arguments and its description", () => {
    const asking = asked({ ...call, _meta: { ...meta, risk: "high" } });
    expect(asking?.prompt).toMatchObject({ safetyClass: "permission", question: call.message });
    expect(asking?.prompt.content).toEqual({
      text: "target: prod\ndry_run: false\n\ntool_description: Deploy the app\nrisk: high\nserver: ops\ntool: deploy",
      cut: null,
      call: { tool: "mcp__ops__deploy", input: meta.tool_params, cwd: "/srv" },
    });
    expect(Object.keys(meta).filter((name) => !(name in NOT_SHOWN_OF_TOOL))).toEqual([
      "tool_description",
      "tool_params",
    ]);
  });

  it("is allowed once, for as long as is offered, or not", () => {
    const asking = asked(call);
    expect(asking?.prompt.choices.map(({ intent }) => intent)).toEqual([
      "allow_once",
      "allow_always",
      "allow_always",
      "reject_once",
    ]);
    const accept = { action: "accept", content: {} };
    expect(["1", "2", "3", "4"].map((value) => asking?.answer({ value }))).toEqual([
      { result: accept },
      { result: { ...accept, _meta: { persist: "session" } } },
      { result: { ...accept, _meta: { persist: "always" } } },
      { result: { action: "decline" } },
    ]);
  });

  it("is not raised where its arguments are missing, or where it wants more than a yes", () => {
    expect(asked({ ...call, _meta: { ...meta, tool_params: undefined } })).toBeNull();
    expect(asked({ ...call, _meta: { ...meta, codex_approval_kind: "tomorrow" } })).toBeNull();
    expect(asked({ ...call, mode: "openai/form" })).toBeNull();
    const requestedSchema = { type: "object", properties: { key: { type: "string" } }, required: ["key"] };
    const form = asked({ ...call, requestedSchema });
    expect(form?.prompt.safetyClass).toBe("question");
  });
});

describe("questions and forms", () => {
  const shown: Readonly<Record<string, readonly string[]>> = {
    ToolRequestUserInputParams: ["questions"],
    ToolRequestUserInputQuestion: ["question", "options"],
    ToolRequestUserInputOption: ["label", "description"],
    McpServerElicitationRequestParams: ["message", "requestedSchema", "url", "serverName", "_meta"],
  };

  it.each(Object.keys(shown))("%s has only fields that are listed here as shown or left out", (name) => {
    const said = [...(shown[name] ?? []), ...Object.keys(BESIDE[name] ?? {})];
    expect(listFields(name).toSorted()).toEqual(said.toSorted());
  });

  it("name the server that asks", () => {
    const requestedSchema = { type: "object", properties: { a: { type: "string", title: "A" } } };
    const form = { mode: "form", serverName: "ops", message: "Tell me", requestedSchema };
    const page = { mode: "url", serverName: "ops", message: "Sign in", url: "https://a.example/x" };
    for (const params of [form, page])
      expect(textFor("mcpServer/elicitation/request", params)).toContain("Asked by the MCP server ops");
  });
});
