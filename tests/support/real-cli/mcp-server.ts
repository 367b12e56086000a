/** A tiny MCP server over stdio with one tool, `deploy`, so that a CLI shows its dialog for MCP tools. */
import { createInterface } from "node:readline";

interface Incoming {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly protocolVersion?: string };
}

const DEPLOY = {
  name: "deploy",
  description: "Deploy the app",
  inputSchema: {
    type: "object",
    properties: { target: { type: "string" }, dry_run: { type: "boolean" }, note: { type: "string" } },
  },
};

function resultFor({ method, params }: Incoming): object {
  if (method === "initialize") return greeting(params?.protocolVersion);
  if (method === "tools/list") return { tools: [DEPLOY] };
  if (method === "tools/call") return { content: [{ type: "text", text: "deployed" }] };
  return {};
}

function greeting(protocolVersion: string | undefined): object {
  return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "ops", version: "1.0.0" } };
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line) as Incoming;
  // Notifications have no id and get no answer.
  if (message.id === undefined) continue;
  const response = { jsonrpc: "2.0", id: message.id, result: resultFor(message) };
  process.stdout.write(`${JSON.stringify(response)}\n`);
}
