/** Values that a JSON schema (draft 7, as far as it is used here) allows: the smallest, the fullest, and any between them. Pure. */
import type { GeneratorValue } from "fast-check";
import * as fc from "fast-check";

export type Schema = { readonly [key: string]: unknown } | boolean;
export type Definitions = Readonly<Record<string, Schema>>;

/** What is left open by a schema is chosen here. */
interface Chooser {
  /** One of `count`, from 0. */
  readonly pick: (count: number) => number;
  readonly has: () => boolean;
  readonly flag: () => boolean;
  readonly length: () => number;
  /** Of a pattern, where the schema has one. */
  readonly text: (pattern: RegExp | null) => string;
  readonly number: (least: number) => number;
  /** What a schema says nothing of. */
  readonly anything: () => unknown;
}

/** Schemas refer to themselves: below this only what is required is made, … */
const DEPTH_MAX = 8;
/** … and below this lists have one entry at most: each level would multiply what there is. */
const LISTS_DEPTH = 3;
const SMALLEST: Chooser = {
  pick: () => 0,
  has: () => false,
  flag: () => false,
  length: () => 0,
  text: (pattern) => (pattern ? matching(pattern, 0) : ""),
  number: (least) => least,
  anything: () => null,
};

/** Everything that may be left out is, of several kinds it is the first. */
export function smallest(schema: Schema, definitions: Definitions): unknown {
  return made(schema, definitions, SMALLEST, 0);
}

/** Nothing is left out, and no text is there twice; one for each kind where there are several, up to `kinds`. */
export function fullest(schema: Schema, definitions: Definitions, kinds = 24): readonly unknown[] {
  let texts = 0;
  return Array.from({ length: kinds }, (_, kind) =>
    made(
      schema,
      definitions,
      {
        pick: (count) => kind % count,
        has: () => true,
        flag: () => kind % 2 === 0,
        length: () => 2,
        text: (pattern) => {
          texts += 1;
          return pattern ? matching(pattern, texts) : `some words ${texts}`;
        },
        number: (least) => least + 7,
        anything: () => ({ any: ["thing", 1, null] }),
      },
      0,
    ),
  );
}

/** Whatever it allows. */
export function generateAny(schema: Schema, definitions: Definitions, choose: GeneratorValue): unknown {
  return made(
    schema,
    definitions,
    {
      pick: (count) => choose(fc.nat, { max: count - 1 }),
      has: () => choose(fc.boolean),
      flag: () => choose(fc.boolean),
      length: () => choose(fc.nat, { max: 3 }),
      text: (pattern) =>
        pattern ? choose(fc.stringMatching, pattern) : choose(fc.string, { unit: "grapheme" }),
      number: (least) => least + choose(fc.nat),
      anything: () => choose(fc.jsonValue),
    },
    0,
  );
}

function made(schema: Schema, definitions: Definitions, chooser: Chooser, depth: number): unknown {
  if (typeof schema === "boolean") return chooser.anything();
  const inner = (each: Schema): unknown => made(each, definitions, chooser, depth + 1);
  if (typeof schema["$ref"] === "string") return inner(named(schema["$ref"], definitions));
  if ("const" in schema) return schema["const"];
  if (Array.isArray(schema["enum"])) return pickOne(schema["enum"], chooser);
  const [several] = [schema["oneOf"], schema["anyOf"]].filter(Array.isArray) as Schema[][];
  const parts = [
    ...((schema["allOf"] ?? []) as Schema[]),
    ...(several ? [depth > DEPTH_MAX ? shallowest(several) : pickOne(several, chooser)] : []),
  ];
  if (parts.length === 0) return ofType(schema, inner, chooser, depth);
  const values = parts.map(inner);
  if (!("properties" in schema)) return values.length === 1 ? values[0] : Object.assign({}, ...values);
  return Object.assign({}, ofType(schema, inner, chooser, depth), ...values);
}

function ofType(
  schema: { readonly [key: string]: unknown },
  inner: (schema: Schema) => unknown,
  chooser: Chooser,
  depth: number,
): unknown {
  const types = [schema["type"] ?? ("properties" in schema ? "object" : undefined)].flat();
  const type = depth > DEPTH_MAX && types.includes("null") ? "null" : pickOne(types, chooser);
  if (typeof type !== "string") return chooser.anything();
  switch (type) {
    case "object":
      return object(schema, inner, chooser, depth);
    case "array":
      return array(schema, inner, chooser, depth);
    case "string":
      return chooser.text(typeof schema["pattern"] === "string" ? new RegExp(schema["pattern"]) : null);
    case "integer":
    case "number":
      return chooser.number(least(schema));
    case "boolean":
      return chooser.flag();
    case "null":
      return null;
    default:
      return chooser.anything();
  }
}

function object(
  schema: { readonly [key: string]: unknown },
  inner: (schema: Schema) => unknown,
  chooser: Chooser,
  depth: number,
): object {
  const required = new Set((schema["required"] ?? []) as string[]);
  const properties = Object.entries((schema["properties"] ?? {}) as Record<string, Schema>);
  const own = properties.flatMap(([name, each]) =>
    required.has(name) || (depth <= DEPTH_MAX && chooser.has()) ? [[name, inner(each)] as const] : [],
  );
  // One that names no property and rules none out is there to hold whatever there is.
  const more = schema["additionalProperties"] ?? (properties.length === 0 ? true : undefined);
  const isOpen = more !== undefined && more !== false && depth <= DEPTH_MAX && chooser.has();
  return Object.fromEntries([...own, ...(isOpen ? [["another", inner(more as Schema)] as const] : [])]);
}

function array(
  { items: each = true, prefixItems: items = each }: { readonly [key: string]: unknown },
  inner: (schema: Schema) => unknown,
  chooser: Chooser,
  depth: number,
): unknown[] {
  const length = depth > DEPTH_MAX ? 0 : Math.min(chooser.length(), depth > LISTS_DEPTH ? 1 : Infinity);
  if (Array.isArray(items)) return (items as Schema[]).map(inner);
  return Array.from({ length }, () => inner(items as Schema));
}

function least({ minimum, exclusiveMinimum }: { readonly [key: string]: unknown }): number {
  if (typeof exclusiveMinimum === "number") return exclusiveMinimum + 1;
  return typeof minimum === "number" ? minimum : 0;
}

/** Another one for each number. */
function matching(pattern: RegExp, seed: number): string {
  const [text = ""] = fc.sample(fc.stringMatching(pattern), { seed, numRuns: 1 });
  return text;
}

function named(reference: string, definitions: Definitions): Schema {
  const found = definitions[reference.replace(/^#\/(?:definitions|\$defs)\//, "")];
  if (found === undefined) throw new Error(`there is no ${reference}`);
  return found;
}

/** A kind that is a plain value ends what would go on for ever. */
function shallowest(kinds: readonly Schema[]): Schema {
  const [first = true] = kinds.toSorted((a, b) => JSON.stringify(a).length - JSON.stringify(b).length);
  return first;
}

function pickOne<T>(list: readonly T[], { pick }: Chooser): T {
  return list[pick(list.length)] as T;
}
