/** The protocol's own JSON schemas, as the SDK ships them: whether a message is what they say. */
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

interface Schema {
  readonly $defs: Readonly<Record<string, { readonly "x-method"?: string }>>;
}

const SDK = join(dirname(createRequire(import.meta.url).resolve("@agentclientprotocol/sdk")), "../../..");

export type Kind = "Request" | "Response" | "Notification";

export interface ProtocolSchema {
  /** Every method of one kind. */
  readonly methods: (kind: Kind) => readonly string[];
  /** Null when the value is what the schema says; else what is wrong. */
  readonly problem: (kind: Kind, method: string, value: unknown) => string | null;
}

export function protocolSchema(version: 1 | 2): ProtocolSchema {
  const file = join(SDK, `schema/v${version}/schema.json`);
  const { $defs } = JSON.parse(readFileSync(file, "utf8"), withoutFormat) as Schema;
  const validator = new AjvJsonSchemaValidator();
  const named = Object.entries($defs).flatMap(([name, { "x-method": method }]) =>
    method === undefined ? [] : [{ name, method }],
  );
  const ofKind = (kind: Kind) => named.filter(({ name }) => name.endsWith(kind));
  return {
    methods: (kind) => ofKind(kind).map(({ method }) => method),
    problem: (kind, method, value) => {
      const found = ofKind(kind).find((each) => each.method === method);
      if (!found) return `version ${version} has no ${kind} ${method}`;
      const checked = validator.getValidator({ $defs, $ref: `#/$defs/${found.name}` } as never)(value);
      return checked.valid ? null : checked.errorMessage;
    },
  };
}

/** Formats of numbers that no validator knows (`uint16`). */
function withoutFormat(key: string, value: unknown): unknown {
  return key === "format" && typeof value === "string" ? undefined : value;
}
