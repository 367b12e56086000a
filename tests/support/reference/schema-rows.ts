/** What a JSON Schema says of every key, as rows of a table: key, type, default, meaning. */
import type { JsonSchema } from "@valibot/to-json-schema";
import { code } from "./markdown.js";

export interface SchemaPage {
  readonly definitions: Readonly<Record<string, JsonSchema>>;
  /** Definitions with a section of their own on the page: rows link there. */
  readonly linked: readonly string[];
  /** What texts of this pattern are called. */
  readonly texts: Readonly<Record<string, string>>;
}

export type KeyRow = readonly [key: string, type: string, byDefault: string, meaning: string];

/** Of an object and everything below it. */
export function listRows(schema: JsonSchema, page: SchemaPage, prefix = ""): KeyRow[] {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {}).flatMap(([key, value]) => {
    const own = value as JsonSchema;
    const name = `${prefix}${key}`;
    const byDefault = required.has(key) && own.default === undefined ? "required" : formatDefault(own);
    const row: KeyRow = [code(name), describeType(own, page), byDefault, own.description ?? ""];
    return [row, ...rowsBelow(own, page, name)];
  });
}

function rowsBelow(schema: JsonSchema, page: SchemaPage, name: string): KeyRow[] {
  const { additionalProperties: values } = schema;
  if (isLinked(schema, page)) return [];
  if (schema.properties) return listRows(schema, page, `${name}.`);
  if (schema.oneOf) return rowsOfVariants(schema.oneOf as JsonSchema[], page, `${name}.`);
  if (schema.anyOf) return (schema.anyOf as JsonSchema[]).flatMap((each) => rowsBelow(each, page, name));
  if (schema.items) return rowsBelow(schema.items as JsonSchema, page, `${name}[]`);
  if (typeof values === "object") return rowsBelow(values, page, `${name}.NAME`);
  return [];
}

/** Each variant is known by a key with one value; what all of them have is said once. */
export function rowsOfVariants(variants: readonly JsonSchema[], page: SchemaPage, prefix: string): KeyRow[] {
  const tables = variants.map((variant) => listRows(variant, page, prefix));
  const shared =
    tables[0]?.filter((row) => tables.every((rows) => rows.some((each) => same(each, row)))) ?? [];
  const own = variants.flatMap((variant, at) => {
    const [mark = ""] = Object.entries(variant.properties ?? {}).flatMap(([key, value]) =>
      (value as JsonSchema).const === undefined
        ? []
        : [`With ${code(`${key}: ${JSON.stringify((value as JsonSchema).const).replaceAll('"', "")}`)}: `],
    );
    const rows = (tables[at] ?? []).filter((row) => !shared.some((each) => same(each, row)));
    return rows.map(([key, type, byDefault, meaning]): KeyRow => [key, type, byDefault, `${mark}${meaning}`]);
  });
  return [...shared, ...own];
}

function same(one: KeyRow, other: KeyRow): boolean {
  return one.join("\n") === other.join("\n");
}

function formatDefault({ default: value }: JsonSchema): string {
  if (value === undefined || (typeof value === "object" && value && Object.keys(value).length === 0))
    return "";
  return code(typeof value === "string" ? value : JSON.stringify(value));
}

function readRefName({ $ref: reference }: JsonSchema): string | null {
  return reference?.split("/").at(-1) ?? null;
}

function isLinked(schema: JsonSchema, page: SchemaPage): boolean {
  const name = readRefName(schema);
  return name !== null && page.linked.includes(name);
}

function describeType(schema: JsonSchema, page: SchemaPage): string {
  const name = readRefName(schema);
  if (name !== null) return `[${name}](#${name.toLowerCase()})`;
  if (schema.const !== undefined) return formatWord(schema.const);
  if (schema.enum) return schema.enum.map((value) => formatWord(value)).join(", ");
  const kinds = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  if (kinds) return [...new Set(kinds.map((kind) => describeType(kind, page)))].join(" or ");
  if (schema.type === "array") return `list of ${describeType(schema.items as JsonSchema, page)}`;
  if (schema.type === "object") return schema.properties ? "keys" : "names with values";
  if (schema.type === "string") return page.texts[schema.pattern ?? ""] ?? "text";
  if (schema.type === "boolean") return "true or false";
  if (schema.type === "null") return code("null");
  return `${schema.type === "integer" ? "whole number" : "number"}${formatRange(schema)}`;
}

function formatWord(value: unknown): string {
  return code(JSON.stringify(value).replaceAll('"', ""));
}

function formatRange({ minimum, maximum }: JsonSchema): string {
  const bounded = minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  return bounded ? `, ${String(minimum)} to ${String(maximum)}` : "";
}
