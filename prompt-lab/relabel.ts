/** Labels a scenario with what is seen in it today. Whoever runs this must have looked: a label is a person's word. */
import { compare, type Actual } from "./compare.js";
import { EXPECTATIONS, type Draft, type Expectations } from "./scenario.js";

type Field = (typeof EXPECTATIONS)[number];
type Fields = Readonly<Record<string, unknown>>;

export interface Change {
  readonly field: string;
  /** Undefined: the field is not there, or shall not be there any more. */
  readonly from: unknown;
  readonly to: unknown;
}

/** Where each label stands in what a parser makes of it. */
const KEY_OF: Readonly<Record<Exclude<Field, "expected_type">, keyof Expectations>> = {
  expected_safety_class: "safetyClass",
  expected_confidence_band: "confidence",
  expected_excerpt_contains: "excerptContains",
  expected_choices: "choices",
  expected_default: "defaultChoice",
  expected_content_contains: "contentContains",
  expected_state: "state",
  expected_count: "count",
};
/** Labels that mean something without a prompt. */
const OF_THE_WHOLE: ReadonlySet<Field> = new Set(["expected_type", "expected_state", "expected_count"]);

/** What must change in the file so that it expects what is seen. A label that still holds stays as its author wrote it. */
export function computeChanges(file: Fields, draft: Draft, actual: Actual): readonly Change[] {
  const seen = readLabels(actual);
  return EXPECTATIONS.flatMap((field) => {
    const change = { field, from: file[field], to: seen[field] };
    return isDue(change, draft, actual) ? [change] : [];
  });
}

function isDue({ field, from, to }: Change, { expected }: Draft, actual: Actual): boolean {
  if (JSON.stringify(from) === JSON.stringify(to)) return false;
  if (!expected) return to !== undefined;
  if (field === "expected_type") return expected.type !== actual.type;
  const isWhole = OF_THE_WHOLE.has(field as Field);
  if (!isWhole && actual.type === null) return from !== undefined;
  // Of a prompt that nobody had expected everything is new.
  if (!isWhole && expected.type === null) return true;
  return !holdsStill(field as keyof typeof KEY_OF, expected, actual);
}

/** Alone and beside the right type: does this label hold? One that is not there holds. */
function holdsStill(field: keyof typeof KEY_OF, expected: Expectations, actual: Actual): boolean {
  const key = KEY_OF[field];
  return compare({ type: actual.type, [key]: expected[key] }, actual).length === 0;
}

/** Every label that can be given; none of a prompt where there is none. */
function readLabels(actual: Actual): Partial<Record<string, unknown>> {
  const whole = {
    expected_type: actual.type,
    expected_state: actual.state ?? undefined,
    expected_count: actual.count,
  };
  if (actual.type === null) return whole;
  const lines = (actual.content ?? "").split("\n").map((line) => line.trim());
  return {
    ...whole,
    expected_safety_class: actual.safetyClass ?? undefined,
    expected_confidence_band: actual.confidence?.toUpperCase(),
    expected_excerpt_contains: actual.excerpt ?? "",
    expected_choices: actual.choices,
    expected_default: actual.defaultChoice,
    expected_content_contains: lines.filter((line) => line !== ""),
  };
}

/** The file's new text: labels behind what was recorded and before the replies. */
export function relabelScenario(file: Fields, changes: readonly Change[]): string {
  const changed = new Map(changes.map(({ field, to }) => [field, to]));
  const isLabel = (name: string): boolean => (EXPECTATIONS as readonly string[]).includes(name);
  const { replies, ...others } = file;
  const recorded = Object.entries(others).filter(([name]) => !isLabel(name));
  const labels = EXPECTATIONS.map((name) => [name, changed.has(name) ? changed.get(name) : file[name]]);
  const fields = Object.fromEntries([...recorded, ...labels, ["replies", replies]]) as Fields;
  return `${JSON.stringify(fields, null, 2)}\n`;
}

/** As a diff shows it. */
export function changeLines({ field, from, to }: Change): readonly string[] {
  return [
    ...(from === undefined ? [] : [`- ${field}: ${JSON.stringify(from)}`]),
    ...(to === undefined ? [] : [`+ ${field}: ${JSON.stringify(to)}`]),
  ];
}
