/** Several questions asked at once: their fields, and the one normal form of an answer to all of them. */

export interface FormOption {
  readonly label: string;
  readonly detail?: string;
}

export interface FormField {
  /** Its key in the answer. */
  readonly name: string;
  readonly question: string;
  /** Empty: it is answered in words. */
  readonly options: readonly FormOption[];
  /** Any number of options may be taken, also none. */
  readonly multi?: boolean;
  /** Own words may stand in place of an option. */
  readonly ownWords?: boolean;
}

/** An option's label or own words; for a field that takes several, the labels in the order of the options. */
export type FieldAnswer = string | readonly string[];
/** One for each field, in their order. */
export type FormAnswer = readonly (readonly [name: string, answer: FieldAnswer])[];

export type ParsedForm =
  | { readonly ok: true; readonly answer: FormAnswer }
  | { readonly ok: false; readonly problem: "form_incomplete" | "option_unknown" };

/** Reads JSON (from programs), or one line for each question in order (from people): `2`, `1,3`, `none`, own words. */
export function parseForm(form: readonly FormField[], value: string): ParsedForm {
  const parts = value.trimStart().startsWith("{") ? partsOfJson(form, value) : partsOfLines(form, value);
  if (!parts) return { ok: false, problem: "form_incomplete" };
  const answer: [string, FieldAnswer][] = [];
  for (const [at, field] of form.entries()) {
    const given = fieldAnswer(field, parts[at] ?? "");
    if (given === null) return { ok: false, problem: "option_unknown" };
    answer.push([field.name, given]);
  }
  return { ok: true, answer };
}

/** JSON with the fields in their order and no blanks: equal answers are equal texts. */
export function canonicalForm(answer: FormAnswer): string {
  return `{${answer.map(([name, given]) => `${JSON.stringify(name)}:${JSON.stringify(given)}`).join(",")}}`;
}

function partsOfLines(form: readonly FormField[], value: string): readonly string[] | null {
  const lines = value.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
  return lines.length === form.length ? lines : null;
}

/** Exactly the fields, each a text or a list of texts. */
function partsOfJson(form: readonly FormField[], value: string): readonly FieldAnswer[] | null {
  const given = jsonObject(value);
  if (!given || given.size !== form.length) return null;
  const parts = form.map(({ name }) => given.get(name));
  return parts.every(isFieldAnswer) ? parts : null;
}

function jsonObject(value: string): ReadonlyMap<string, unknown> | null {
  try {
    const parsed = JSON.parse(value) as unknown;
    return parsed !== null && typeof parsed === "object" && !Array.isArray(parsed)
      ? new Map<string, unknown>(Object.entries(parsed))
      : null;
  } catch {
    return null;
  }
}

function isFieldAnswer(given: unknown): given is FieldAnswer {
  return typeof given === "string" || (Array.isArray(given) && given.every((one) => typeof one === "string"));
}

const NONE = "none";

function fieldAnswer(field: FormField, given: FieldAnswer): FieldAnswer | null {
  if (!field.multi) return typeof given === "string" ? oneAnswer(field, given) : null;
  const names = typeof given === "string" ? given.split(",").map((name) => name.trim()) : given;
  const taken = names.length === 1 && names[0]?.toLowerCase() === NONE ? [] : names;
  const labels = taken.map((name) => optionNamed(field, name));
  if (labels.includes(null))
    return field.ownWords && typeof given === "string" && !isNumbers(names) ? [given] : null;
  return field.options.flatMap(({ label }) => (labels.includes(label) ? [label] : []));
}

function oneAnswer(field: FormField, given: string): string | null {
  const text = given.trim();
  if (text === "") return null;
  const label = optionNamed(field, text);
  if (label !== null) return label;
  if (field.options.length === 0) return text;
  // A number that names no option is a slip, no wish in own words.
  return field.ownWords && !isNumbers([text]) ? text : null;
}

/** By its 1-based number, or by its exact label. */
function optionNamed({ options }: FormField, name: string): string | null {
  const byLabel = options.find(({ label }) => label === name);
  const byNumber = /^[1-9][0-9]?$/.test(name) ? options[Number(name) - 1] : undefined;
  return byLabel?.label ?? byNumber?.label ?? null;
}

function isNumbers(names: readonly string[]): boolean {
  return names.every((name) => /^[0-9]*$/.test(name));
}
