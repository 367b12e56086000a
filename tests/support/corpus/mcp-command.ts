/** How every tool starts the MCP server of `real-cli/mcp-server.ts`. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const TSX = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;

export const MCP_SERVER = {
  command: process.execPath,
  args: ["--import", TSX, join(import.meta.dirname, "../real-cli/mcp-server.ts")],
} as const;
