/** A tiny MCP server over stdio: `deploy` acts, `configure` asks the user for a form first. So CLIs show both of their dialogs. */
import { createInterface } from "node:readline";

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly protocolVersion?: string; readonly name?: string };
  readonly result?: unknown;
}

const DEPLOY = {
  name: "deploy",
  description: "Deploy the app",
  inputSchema: {
    type: "object",
    properties: { target: { type: "string" }, dry_run: { type: "boolean" }, note: { type: "string" } },
  },
};

const CONFIGURE = {
  name: "configure",
  description: "Set up an environment",
  inputSchema: { type: "object", properties: {} },
};

const FORM = {
  message: "Which environment should be used? Continue? (y/n)",
  requestedSchema: {
    type: "object",
    properties: {
      name: { type: "string", title: "Environment name", description: "e.g. staging" },
      region: { type: "string", title: "Region", enum: ["eu", "us"] },
      confirm: { type: "boolean", title: "Confirm" },
    },
    required: ["name"],
  },
};

const ELICIT_ID = "elicit-1";
let configuring: Message["id"];

function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

function resultFor({ method, params }: Message): object {
  if (method === "initialize") return greeting(params?.protocolVersion);
  if (method === "tools/list") return { tools: [DEPLOY, CONFIGURE] };
  if (method === "tools/call") return { content: [{ type: "text", text: "deployed" }] };
  return {};
}

function greeting(protocolVersion: string | undefined): object {
  return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "ops", version: "1.0.0" } };
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line) as Message;
  if (message.id === ELICIT_ID) {
    const text = JSON.stringify(message.result);
    send({ id: configuring, result: { content: [{ type: "text", text }] } });
  } else if (message.method === "tools/call" && message.params?.name === CONFIGURE.name) {
    configuring = message.id;
    send({ id: ELICIT_ID, method: "elicitation/create", params: FORM });
  } else if (message.id !== undefined) send({ id: message.id, result: resultFor(message) });
}
