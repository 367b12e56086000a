/** What codex's own schema says of the messages of its app server: whether one is as it says, and values that are. */
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import { keptExcerpt, type Schema, type Variant } from "./excerpt.js";

/** Numbers have formats that no validator knows (`uint32`). */
export const DEFINITIONS = JSON.parse(
  JSON.stringify(keptExcerpt().definitions, (key, value: unknown) =>
    key === "format" && typeof value === "string" ? undefined : value,
  ),
) as Readonly<Record<string, Schema>>;

type Direction = "ServerRequest" | "ServerNotification" | "ClientRequest" | "ClientNotification";

export function methods(direction: Direction): readonly string[] {
  return variants(direction).map(({ properties }) => properties.method.enum[0] ?? "");
}

export function readParams(direction: Direction, method: string): Schema {
  const found = variants(direction).find(({ properties }) => properties.method.enum.includes(method));
  return found?.properties.params ?? {};
}

export function listFields(name: string): readonly string[] {
  const definition = DEFINITIONS[name];
  if (typeof definition !== "object") throw new Error(`the schema has no ${name}`);
  const kinds = [definition, ...((definition["oneOf"] ?? []) as Schema[])];
  return [...new Set(kinds.flatMap((kind) => Object.keys(Object(kind["properties" as never]) as object)))];
}

/** What a client is asked, and the name of what answers it. */
export const RELAYED: Readonly<Record<string, string>> = {
  "item/commandExecution/requestApproval": "CommandExecutionRequestApprovalResponse",
  "item/fileChange/requestApproval": "FileChangeRequestApprovalResponse",
  "item/permissions/requestApproval": "PermissionsRequestApprovalResponse",
  "item/tool/requestUserInput": "ToolRequestUserInputResponse",
  "mcpServer/elicitation/request": "McpServerElicitationRequestResponse",
};

const validator = new AjvJsonSchemaValidator();
const compiled = new Map<string, (value: unknown) => { valid: boolean; errorMessage?: string | undefined }>();

/** Null when the value is what the schema says of this name; else what is wrong. */
export function problem(name: string, value: unknown): string | null {
  const schema: unknown = { definitions: DEFINITIONS, $ref: `#/definitions/${name}` };
  const check = compiled.get(name) ?? validator.getValidator(schema as never);
  compiled.set(name, check);
  const checked = check(value);
  return checked.valid ? null : (checked.errorMessage ?? "it does not fit");
}

function variants(direction: Direction): readonly Variant[] {
  return (DEFINITIONS[direction] as unknown as { readonly oneOf: readonly Variant[] }).oneOf;
}
