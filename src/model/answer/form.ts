/** Several questions asked at once: their fields, and the normal form of an answer to all of them. */

/** A choice of one question. */
export interface FormOption {
  readonly label: string;
  readonly detail?: string;
}

/** One of several questions that are asked at once. */
export interface FormField {
  /** Its key in the answer. */
  readonly name: string;
  readonly question: string;
  /** Empty: it is answered with text. */
  readonly options: readonly FormOption[];
  /** Any number of options may be chosen, including none. */
  readonly multi?: boolean;
  /** The person's own text may replace an option. */
  readonly ownWords?: boolean;
  /** A text field that may be left out: with LEAVE_OUT or LEFT_OUT, never with a number, which is ordinary text. */
  readonly optional?: boolean;
}

/** The answer of a field that was left out; also an option's label if the field has options. */
export const LEFT_OUT = "(leave out)";
/** The short form that people write. */
export const LEAVE_OUT = "-";

/** An option's label or own text; for a field with several, the labels in the order of the options. */
export type FieldAnswer = string | readonly string[];
/** One for each field, in their order. */
export type FormAnswer = readonly (readonly [name: string, answer: FieldAnswer])[];

export type ParsedForm =
  | { readonly ok: true; readonly answer: FormAnswer }
  | { readonly ok: false; readonly problem: "form_incomplete" | "option_unknown" };

/** Parses JSON (from programs), or one line per question in order (from people): `2`, `1,3`, `none`, own text. */
export function parseForm(form: readonly FormField[], value: string): ParsedForm {
  // People write the numbers they see, even if a label is a number; programs and the normal form use labels.
  const isJson = value.trimStart().startsWith("{");
  const parts = isJson ? parseJsonParts(form, value) : parseLines(form, value);
  const named = isJson ? findByLabelFirst : findByNumberFirst;
  if (!parts) return { ok: false, problem: "form_incomplete" };
  const answer: [string, FieldAnswer][] = [];
  for (const [at, field] of form.entries()) {
    const given = parseFieldAnswer(field, parts[at] ?? "", named);
    if (given === null) return { ok: false, problem: "option_unknown" };
    answer.push([field.name, given]);
  }
  return { ok: true, answer };
}

/** JSON with the fields in order and no blanks: equal answers are equal texts. */
export function encodeForm(answer: FormAnswer): string {
  return `{${answer.map(([name, given]) => `${JSON.stringify(name)}:${JSON.stringify(given)}`).join(",")}}`;
}

/** One answer as people write it: `2`, `1,3`, `none`, own text. Null: it is no answer to this question. */
export function parseFormField(field: FormField, written: string): FieldAnswer | null {
  return parseFieldAnswer(field, written, findByNumberFirst);
}

function parseLines(form: readonly FormField[], value: string): readonly string[] | null {
  const lines = value.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
  return lines.length === form.length ? lines : null;
}

/** Exactly the fields, each a text or a list of texts. */
function parseJsonParts(form: readonly FormField[], value: string): readonly FieldAnswer[] | null {
  const given = parseJsonObject(value);
  if (!given || given.size !== form.length) return null;
  const parts = form.map(({ name }) => given.get(name));
  return parts.every(isFieldAnswer) ? parts : null;
}

function parseJsonObject(value: string): ReadonlyMap<string, unknown> | null {
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

/** The label of the option that a text names, or null. */
type OptionNamed = (field: FormField, name: string) => string | null;

function parseFieldAnswer(field: FormField, given: FieldAnswer, named: OptionNamed): FieldAnswer | null {
  if (!field.multi) return typeof given === "string" ? parseOneAnswer(field, given, named) : null;
  const names = typeof given === "string" ? given.split(",").map((name) => name.trim()) : given;
  const chosen = names.length === 1 && names[0]?.toLowerCase() === NONE ? [] : names;
  const labels = chosen.map((name) => named(field, name));
  if (labels.includes(null))
    return field.ownWords && typeof given === "string" && !isNumbers(names) ? [given] : null;
  return field.options.flatMap(({ label }) => (labels.includes(label) ? [label] : []));
}

function parseOneAnswer(field: FormField, given: string, named: OptionNamed): string | null {
  const text = given.trim();
  if (text === "") return null;
  const label = named(field, text);
  if (label !== null) return label;
  if (field.optional && (text === LEAVE_OUT || text.toLowerCase() === LEFT_OUT)) return LEFT_OUT;
  if (field.options.length === 0) return text;
  // A number that names no option is a typo, not own text.
  return field.ownWords && !isNumbers([text]) ? text : null;
}

function findByLabelFirst(field: FormField, name: string): string | null {
  return findByLabel(field, name) ?? findByNumber(field, name);
}

function findByNumberFirst(field: FormField, name: string): string | null {
  return findByNumber(field, name) ?? findByLabel(field, name);
}

function findByLabel({ options }: FormField, name: string): string | null {
  return options.find(({ label }) => label === name)?.label ?? null;
}

/** 1-based. */
function findByNumber({ options }: FormField, name: string): string | null {
  return /^[1-9][0-9]?$/.test(name) ? (options[Number(name) - 1]?.label ?? null) : null;
}

function isNumbers(names: readonly string[]): boolean {
  return names.every((name) => /^[0-9]*$/.test(name));
}
