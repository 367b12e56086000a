/** Keeps a schema of MCP without its descriptions: `npx tsx tests/support/mcp-schema/main.ts FILE`, a schema.json of the specification. */
import { readFileSync, writeFileSync } from "node:fs";
import { excerptText, withoutWords, type Schema } from "../app-server-schema/excerpt.js";
import { KEPT_FILE } from "./kept.js";

const { $defs } = withoutWords(JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"))) as {
  readonly $defs: Record<string, Schema>;
};
writeFileSync(
  KEPT_FILE,
  excerptText({
    of: "github.com/modelcontextprotocol/modelcontextprotocol, schema/2025-11-25/schema.json",
    licence: "Apache-2.0, its older parts MIT; see LICENSE beside this file",
    changes: "descriptions and titles are left out",
    again: "npx tsx tests/support/mcp-schema/main.ts FILE",
    definitions: $defs,
  }),
);
