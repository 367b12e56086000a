/** The protocol's own JSON schemas, as the SDK ships them: whether a message is what they say. */
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fullest, smallest, type Definitions } from "./schema-instances.js";

interface Schema {
  readonly $defs: Definitions &
    Readonly<Record<string, { readonly "x-method"?: string; readonly "x-side"?: string }>>;
}

const SDK = join(dirname(createRequire(import.meta.url).resolve("@agentclientprotocol/sdk")), "../../..");

export type Kind = "Request" | "Response" | "Notification";

export type Side = "agent" | "client";

export interface ProtocolSchema {
  /** Every method of one kind that this side takes; of responses: that it answers. */
  readonly methods: (kind: Kind, side: Side) => readonly string[];
  readonly instances: (kind: Kind, method: string) => readonly object[];
  /** Null when the value is what the schema says; else what is wrong. */
  readonly problem: (kind: Kind, method: string, value: unknown) => string | null;
}

export function protocolSchema(version: 1 | 2): ProtocolSchema {
  const file = join(SDK, `schema/v${version}/schema.json`);
  const { $defs } = JSON.parse(readFileSync(file, "utf8"), withoutFormat) as Schema;
  const validator = new AjvJsonSchemaValidator();
  const named = Object.entries($defs).flatMap(([name, { "x-method": method, "x-side": side }]) =>
    method === undefined ? [] : [{ name, method, side }],
  );
  const ofKind = (kind: Kind) => named.filter(({ name }) => name.endsWith(kind));
  return {
    methods: (kind, side) => ofKind(kind).flatMap((each) => (each.side === side ? [each.method] : [])),
    instances: (kind, method) => {
      const { name = "" } = ofKind(kind).find((each) => each.method === method) ?? {};
      const schema = $defs[name] ?? {};
      return [smallest(schema, $defs), ...fullest(schema, $defs)] as object[];
    },
    problem: (kind, method, value) => {
      const found = ofKind(kind).find((each) => each.method === method);
      if (!found) return `version ${version} has no ${kind} ${method}`;
      const checked = validator.getValidator({ $defs, $ref: `#/$defs/${found.name}` })(value);
      return checked.valid ? null : checked.errorMessage;
    },
  };
}

export interface Line {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
}

/** What is wrong with what we said; `askedBy`: the method of the request that was answered. Names that begin with `_` are left to us. */
export function problemsIn(
  { problem }: ProtocolSchema,
  said: readonly Line[],
  askedBy: (id: unknown) => string,
): string[] {
  return said.flatMap((line) => {
    const method = line.method ?? askedBy(line.id);
    if (method.startsWith("_")) return [];
    const found = problem(classifyKind(line), method, line.method === undefined ? line.result : line.params);
    return found === null ? [] : [`${method}: ${found}`];
  });
}

function classifyKind({ id, method }: Line): Kind {
  if (method === undefined) return "Response";
  return id === undefined ? "Notification" : "Request";
}

/** Formats of numbers that no validator knows (`uint16`). */
function withoutFormat(key: string, value: unknown): unknown {
  return key === "format" && typeof value === "string" ? undefined : value;
}
