/** What the specification of MCP says of its messages: whether one is as it says, and values that are. */
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Definitions } from "../schema-instances.js";

export const KEPT_FILE = join(import.meta.dirname, "../../fixtures/schemas/mcp-2025-11-25/schema.json");

export function mcpDefinitions(): Definitions {
  const { definitions } = JSON.parse(readFileSync(KEPT_FILE, "utf8")) as {
    readonly definitions: Definitions;
  };
  return definitions;
}

/** The definitions that a union (`ClientRequest`) is of. */
export function listMembers(union: string, definitions: Definitions): readonly string[] {
  const { anyOf } = definitions[union] as { readonly anyOf: readonly { readonly $ref: string }[] };
  return anyOf.map(({ $ref }) => $ref.replace("#/$defs/", ""));
}

export function mcpProblem(name: string, value: unknown, definitions: Definitions): string | null {
  const schema: unknown = { $defs: definitions, $ref: `#/$defs/${name}` };
  const checked = new AjvJsonSchemaValidator().getValidator(schema as never)(value);
  return checked.valid ? null : `${name}: ${checked.errorMessage}`;
}
