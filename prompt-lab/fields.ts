/**
 * Strict readers for hand-written JSON: a problem says which file, which field, what was found and what was meant. Each knows its JSON
 * Schema, from which `schemas/scenario.schema.json` is made.
 */
import { AtlasBridgeError } from "../src/model/errors.js";
import { findNearest } from "../src/model/data/nearest.js";

/** A found value is quoted up to here: enough to recognise a slip, too short to leak a screen. */
const FOUND_CHARACTERS_MAX = 40;

/** Where a value stands: `bash.json` and `replies[0].value`; in a file of JSON lines also in which one, from 1. */
export interface FieldPlace {
  readonly file: string;
  readonly line?: number;
  readonly path: string;
}

/** What editors know of a value. */
export type JsonSchema = Readonly<Record<string, unknown>>;

type Read<T> = (value: unknown, place: FieldPlace) => T;

export interface Reader<T> extends Read<T> {
  readonly schema: JsonSchema;
}

export function createReader<T>(schema: JsonSchema, read: Read<T>): Reader<T> {
  return Object.assign(read, { schema });
}

export function fail(place: FieldPlace, problem: string): never {
  const where = place.line === undefined ? place.file : `${place.file}, line ${place.line}`;
  const at = place.path === "" ? "" : ` "${place.path}"`;
  throw new AtlasBridgeError("ATB_SCENARIO_INVALID", `${where}:${at} ${problem}`, {
    hint: "The format is described in docs/how-to/record-a-scenario.md.",
  });
}

/** What was found, in few words. */
export function describeValue(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (value !== null && typeof value === "object") return "an object";
  const shown = JSON.stringify(value);
  return shown.length > FOUND_CHARACTERS_MAX ? `${shown.slice(0, FOUND_CHARACTERS_MAX)}…` : shown;
}

function extendPlace(place: FieldPlace, key: string): FieldPlace {
  return { ...place, path: place.path === "" ? key : `${place.path}.${key}` };
}

/** Fields by their names, each with what reads it. */
export type FieldTable = Readonly<Record<string, Reader<unknown>>>;

/** The JSON Schema of an object that may have these fields, must have the `required` ones, and exactly one of `oneOf`. */
export function buildObjectSchema(
  fields: FieldTable,
  {
    required = [],
    oneOf = [],
  }: { readonly required?: readonly string[]; readonly oneOf?: readonly string[] } = {},
): JsonSchema {
  const properties = Object.fromEntries(Object.entries(fields).map(([key, { schema }]) => [key, schema]));
  return {
    type: "object",
    properties,
    required,
    additionalProperties: false,
    ...(oneOf.length > 0 && { oneOf: oneOf.map((key) => ({ required: [key] })) }),
  };
}

/** The fields of one object; every key must be known. `take` reads one field or stops. */
export class Fields {
  readonly place: FieldPlace;
  readonly #values: ReadonlyMap<string, unknown>;

  constructor(value: unknown, place: FieldPlace, known: readonly string[]) {
    if (value === null || typeof value !== "object" || Array.isArray(value))
      fail(place, `must be an object, found ${describeValue(value)}`);
    this.place = place;
    this.#values = new Map(Object.entries(value));
    for (const key of this.#values.keys()) if (!known.includes(key)) rejectUnknownKey(place, key, known);
  }

  has(key: string): boolean {
    return this.#values.has(key);
  }

  take<T>(key: string, read: Read<T>): T {
    if (!this.#values.has(key)) fail(this.place, `has no field "${key}"`);
    return read(this.#values.get(key), extendPlace(this.place, key));
  }

  /** The field, or undefined when it is not there. */
  maybe<T>(key: string, read: Read<T>): T | undefined {
    return this.#values.has(key) ? this.take(key, read) : undefined;
  }
}

function rejectUnknownKey(place: FieldPlace, key: string, known: readonly string[]): never {
  const meant = findNearest(key, known);
  const help = meant === null ? `known fields: ${known.join(", ")}` : `did you mean "${meant}"?`;
  fail(place, `has an unknown field ${describeValue(key)}; ${help}`);
}

export const text = createReader({ type: "string" }, (value, place) =>
  typeof value === "string" ? value : fail(place, `must be a string, found ${describeValue(value)}`),
);

export const filledText = createReader({ type: "string", minLength: 1 }, (value, place) =>
  text(value, place).trim() === "" ? fail(place, "must not be empty") : (value as string),
);

export const flag = createReader({ type: "boolean" }, (value, place) =>
  typeof value === "boolean" ? value : fail(place, `must be true or false, found ${describeValue(value)}`),
);

/** A number of at least `low` and at most `high`. */
export function number(low: number, high: number): Reader<number> {
  return createReader({ type: "number", minimum: low, maximum: high }, (value, place) =>
    typeof value === "number" && value >= low && value <= high
      ? value
      : fail(place, `must be a number from ${low} to ${high}, found ${describeValue(value)}`),
  );
}

export function readInteger(low: number, high: number): Reader<number> {
  return createReader({ type: "integer", minimum: low, maximum: high }, (value, place) =>
    Number.isInteger(value) && (value as number) >= low && (value as number) <= high
      ? (value as number)
      : fail(place, `must be a whole number from ${low} to ${high}, found ${describeValue(value)}`),
  );
}

/** One of the words; each spelling stands for its meaning. */
export function readWord<T>(spellings: ReadonlyMap<string, T>): Reader<T> {
  const known = [...spellings.keys()];
  return createReader({ enum: known }, (value, place) => {
    const spelling = text(value, place);
    const meaning = spellings.get(spelling);
    if (meaning !== undefined) return meaning;
    const meant = findNearest(spelling, known);
    const help = meant === null ? `one of ${known.join(", ")}` : `did you mean "${meant}"?`;
    return fail(place, `is ${describeValue(value)}; ${help}`);
  });
}

export function readListOf<T>(read: Reader<T>, lengthMax: number): Reader<readonly T[]> {
  return createReader({ type: "array", items: read.schema, maxItems: lengthMax }, (value, place) => {
    if (!Array.isArray(value)) return fail(place, `must be a list, found ${describeValue(value)}`);
    if (value.length > lengthMax) return fail(place, `has ${value.length} entries, at most ${lengthMax}`);
    return value.map((item: unknown, index) => read(item, { ...place, path: `${place.path}[${index}]` }));
  });
}

export function readOrNull<T>(read: Reader<T>): Reader<T | null> {
  const schema = { anyOf: [read.schema, { type: "null" }] };
  return createReader(schema, (value, place) => (value === null ? null : read(value, place)));
}
