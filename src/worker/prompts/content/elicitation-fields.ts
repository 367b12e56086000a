/** The fields of an elicitation's flat schema, and a person's answer as the value that a field takes. Pure. */
import { LEFT_OUT, type FieldAnswer } from "../../../model/answer/form.js";
import { toArray, isObject, toText, type Json } from "../../../model/data/json.js";

type FieldKind = "string" | "number" | "integer" | "boolean" | "list";

export interface ElicitationField {
  readonly name: string;
  readonly title: string;
  readonly question: string;
  readonly kind: FieldKind;
  readonly multi: boolean;
  readonly required: boolean;
  /** Empty: answered with text. `value`: what the agent gets for it. */
  readonly options: readonly { readonly label: string; readonly detail?: string; readonly value: unknown }[];
  readonly schema: Json;
}

/** Null unless every field can be read: half a form cannot be answered. */
export function readFields(schema: Json): readonly ElicitationField[] | null {
  const properties = isObject(schema["properties"]) ? Object.entries(schema["properties"]) : [];
  const required = new Set(toArray(schema["required"]));
  const fields = properties.map(([name, property]) =>
    isObject(property) ? readField(name, property, required.has(name)) : null,
  );
  const whole = fields.filter((field) => field !== null);
  return whole.length > 0 && whole.length === fields.length ? whole : null;
}

function readField(name: string, schema: Json, required: boolean): ElicitationField | null {
  const kind = KINDS.get(toText(schema["type"]) ?? "");
  const options = kind === undefined ? null : readOptions(kind, schema);
  if (kind === undefined || options === null) return null;
  const labels = new Set(options.map(({ label }) => label));
  if (labels.size < options.length || labels.has(LEFT_OUT)) return null;
  const title = toText(schema["title"]) ?? name;
  const description = toText(schema["description"]);
  const question = description === null ? title : `${title}: ${description}`;
  return { name, title, question, kind, multi: kind === "list", required, options, schema };
}

const KINDS: ReadonlyMap<string, FieldKind> = new Map(
  Object.entries<FieldKind>({
    string: "string",
    number: "number",
    integer: "integer",
    boolean: "boolean",
    array: "list",
  }),
);

const CHOICES = ["oneOf", "anyOf", "enum"] as const;

/** Null unless every choice can be shown: the intended answer may be among those that cannot. */
function readOptions(kind: FieldKind, schema: Json): ElicitationField["options"] | null {
  if (kind === "boolean")
    return [
      { label: "Yes", value: true },
      { label: "No", value: false },
    ];
  const source = kind === "list" ? (isObject(schema["items"]) ? schema["items"] : {}) : schema;
  const [list, ...others] = CHOICES.filter((name) => (source[name] ?? null) !== null);
  if (list === undefined) return kind === "list" ? null : [];
  const given = toArray(source[list]);
  const options = given.map((entry) => readOption(kind, list === "enum" ? { const: entry } : entry));
  const whole = options.filter((option) => option !== null);
  return others.length === 0 && whole.length > 0 && whole.length === given.length ? whole : null;
}

function readOption(kind: FieldKind, entry: unknown): ElicitationField["options"][number] | null {
  if (!isObject(entry)) return null;
  const { const: value, title, description } = entry;
  const isNumber = typeof value === "number" && kind !== "string";
  if (!isNumber && (typeof value !== "string" || kind === "number" || kind === "integer")) return null;
  const detail = toText(description);
  return { label: toText(title) ?? String(value), value, ...(detail !== null && { detail }) };
}

export function parseFieldValue(field: ElicitationField, given: FieldAnswer): unknown {
  const valueFor = (label: string): unknown => field.options.find((option) => option.label === label)?.value;
  if (field.multi) {
    const values = (typeof given === "string" ? [given] : given).map(valueFor);
    return values.includes(undefined) || !isWithin(values.length, field.schema, "Items") ? undefined : values;
  }
  if (typeof given !== "string") return undefined;
  if (field.options.length > 0) return valueFor(given);
  if (field.kind === "string") return isWithin([...given].length, field.schema, "Length") ? given : undefined;
  const number = /^[+-]?[0-9]{1,18}(?:\.[0-9]{1,18})?$/.test(given.trim()) ? Number(given) : NaN;
  const fits = field.kind === "integer" ? Number.isSafeInteger(number) : Number.isFinite(number);
  return fits && isBetween(number, field.schema["minimum"], field.schema["maximum"]) ? number : undefined;
}

function isWithin(count: number, schema: Json, what: "Items" | "Length"): boolean {
  return isBetween(count, schema[`min${what}`], schema[`max${what}`]);
}

function isBetween(number: number, min: unknown, max: unknown): boolean {
  return (typeof min !== "number" || number >= min) && (typeof max !== "number" || number <= max);
}
