/** The MCP SDK's own client, with `atlasbridge mcp` behind it as any agent would start it. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { CallToolResult, Progress } from "@modelcontextprotocol/sdk/types.js";
import { MAIN } from "./hub-home.js";

export interface AskingClient {
  readonly client: Client;
  readonly pid: number;
  readonly call: (name: string, args: object, options?: CallOptions) => Promise<CallToolResult>;
  readonly close: () => Promise<void>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: Progress) => void;
  readonly timeout?: number;
  readonly resetTimeoutOnProgress?: boolean;
}

export async function askingClient(
  env: NodeJS.ProcessEnv,
  label: string,
  name = "tester",
  cwd = process.cwd(),
): Promise<AskingClient> {
  const given = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, "mcp", "--label", label],
    env: Object.fromEntries(given),
    cwd,
    stderr: "ignore",
  });
  const client = new Client({ name, version: "1.0.0" });
  await client.connect(transport);
  return {
    client,
    pid: transport.pid ?? 0,
    call: async (tool, args, options) => {
      const params = { name: tool, arguments: { ...args } };
      return (await client.callTool(params, undefined, options)) as CallToolResult;
    },
    close: () => client.close(),
  };
}
