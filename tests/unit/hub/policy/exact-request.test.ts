/** Two requests with the same arguments are the same only where their cards say the same, whichever agent asks. */
import { describe, expect, it } from "vitest";
import { readExactRequest } from "../../../../src/hub/policy/exact-request.js";
import { createToolRequest } from "../../../../src/worker/integrations/codex/approvals.js";
import {
  createPermissionRequest,
  readPermissionRequest,
} from "../../../../src/worker/integrations/acp/permission/permission.js";
import { createPermissionRequest as createServerRequest } from "../../../../src/worker/integrations/opencode/questions.js";
import type { PendingRequest } from "../../../../src/worker/prompts/pending-request.js";
import { SESSION, WORLD } from "../../../support/policy/policies.js";
import { promptEvent } from "../../../support/prompts.js";

const CWD = "/home/ara/project";

function readKey(pending: PendingRequest | null): string {
  if (pending === null) throw new Error("it was not read");
  const { question, promptType, safetyClass, choices, constraints, content } = pending.prompt;
  const shown = { promptType, safetyClass, choices, constraints, content };
  const event = promptEvent({ ...shown, excerpt: question, confidence: "high" });
  const exact = readExactRequest({ event, session: SESSION, now: 0 }, WORLD);
  if (!exact.ok) throw new Error(exact.why);
  return exact.key;
}

function askAgent(params: object): PendingRequest | null {
  const options = [
    { optionId: "yes", name: "Allow", kind: "allow_once" },
    { optionId: "no", name: "Reject", kind: "reject_once" },
  ];
  const request = readPermissionRequest({ sessionId: "s", options, ...params }, () => undefined);
  return request && createPermissionRequest(request, CWD);
}

const askCall = (call: object): PendingRequest | null =>
  askAgent({ toolCall: { toolCallId: "1", title: "it", kind: "edit", rawInput: {}, ...call } });

const askCommand = (command: string): PendingRequest | null =>
  askAgent({
    title: "Run?",
    subject: { command, cwd: CWD, toolCall: { toolCallId: "1", kind: "execute", title: "sh", rawInput: {} } },
  });

const askDiff = (newText: string): PendingRequest | null =>
  askCall({
    rawInput: { file_path: "/p/a" },
    content: [{ type: "diff", path: "/p/a", oldText: "a", newText }],
  });

const askPatterns = (patterns: string[], metadata: object): PendingRequest | null =>
  createServerRequest(
    { id: "1", permission: "external_directory", metadata, patterns, always: [] },
    null,
    CWD,
  );

const askServer = (serverName: string, tool: string, besides = {}): PendingRequest | null =>
  createToolRequest(
    "mcpServer/elicitation/request",
    {
      mode: "form",
      message: "Allow it?",
      serverName,
      requestedSchema: { type: "object", properties: {} },
      _meta: { codex_approval_kind: "mcp_tool_call", tool_name: tool, tool_params: { a: 1 }, ...besides },
    },
    CWD,
  );

describe("a request with the same arguments", () => {
  it.each([
    ["diff", () => askDiff("b"), () => askDiff("evil")],
    [
      "place",
      () => askCall({ locations: [{ path: "/p/a" }] }),
      () => askCall({ locations: [{ path: "/etc/shadow" }] }),
    ],
    ["command beside its call", () => askCommand("ls"), () => askCommand("make")],
    ["pattern", () => askPatterns(["/a/*"], { reason: "x" }), () => askPatterns(["/etc/*"], { reason: "x" })],
    [
      "pattern that stands in another text",
      () => askPatterns(["/a"], { reason: "/a and /b" }),
      () => askPatterns(["/b"], { reason: "/a and /b" }),
    ],
    ["server", () => askServer("a", "b__c"), () => askServer("a__b", "c")],
    [
      "word of its server",
      () => askServer("a", "b"),
      () => askServer("a", "b", { tool_description: "All." }),
    ],
  ])("and another %s is another", (_, first, other) => {
    expect(readKey(first())).toBe(readKey(first()));
    expect(readKey(other())).not.toBe(readKey(first()));
  });

  it.each([["rm -rf /srv"], ["git push --force"]])(
    "that is about %s beside its call is never the same",
    (line) => {
      expect(() => readKey(askCommand(line))).toThrow("may destroy");
    },
  );
});
