/** Compares a replay with a scenario's expectations. */
import type { Confidence, PromptType, SafetyClass } from "../../src/model/prompt.js";
import type { ToolState } from "../../src/model/tool-state.js";
import type { ExpectedReply, Expectations } from "../scenario/scenario.js";

/** The prompt at the end (type null: none) and the whole recording. */
export interface Actual {
  readonly type: PromptType | null;
  readonly confidence: Confidence | null;
  readonly safetyClass: SafetyClass | null;
  readonly excerpt: string | null;
  readonly content: string | null;
  readonly choices: readonly string[];
  /** Second lines of the choices, which cards show beside the content. */
  readonly details: readonly string[];
  /** 1-based. */
  readonly defaultChoice: number | null;
  /** Null: the screen does not show it. */
  readonly state: ToolState | null;
  readonly count: number;
}

/** The planned keys for a reply, or why none are typed. */
export type PlannedReply =
  | { readonly kind: "keys"; readonly keys: readonly string[] }
  | { readonly kind: "refused"; readonly reason: string };

export function compare(expected: Expectations, actual: Actual): readonly string[] {
  return [
    ...compareType(expected, actual),
    // A missing prompt is reported once.
    ...(expected.type === null || actual.type === null ? [] : comparePrompt(expected, actual)),
    ...compareField("expected_state", expected.state, actual.state),
    ...compareField("expected_count", expected.count, actual.count),
  ];
}

function compareType(expected: Expectations, actual: Actual): readonly string[] {
  if (expected.type === actual.type) return [];
  if (expected.type === null)
    return [`expected_type: nothing may be pending, found ${String(actual.type)} ${quote(actual.excerpt)}`];
  return [`expected_type: expected ${expected.type}, found ${actual.type ?? "nothing pending"}`];
}

function comparePrompt(expected: Expectations, actual: Actual): readonly string[] {
  return [
    ...compareField("expected_safety_class", expected.safetyClass, actual.safetyClass),
    ...compareField("expected_confidence_band", expected.confidence, actual.confidence),
    ...requirePart("expected_excerpt_contains", expected.excerptContains, actual.excerpt),
    ...compareChoices(expected.choices, actual.choices),
    ...compareField("expected_default", expected.defaultChoice, actual.defaultChoice),
    ...(expected.contentContains ?? []).flatMap((part) =>
      actual.details.some((detail) => containsText(detail, part))
        ? []
        : requirePart("expected_content_contains", part, actual.content),
    ),
  ];
}

function compareField<T extends string | number | null>(
  field: string,
  expected: T | undefined,
  actual: T,
): readonly string[] {
  if (expected === undefined || expected === actual) return [];
  return [`${field}: expected ${expected ?? "none"}, found ${actual ?? "none"}`];
}

function requirePart(field: string, part: string | undefined, whole: string | null): readonly string[] {
  if (part === undefined || (whole !== null && containsText(whole, part))) return [];
  return [`${field}: ${quote(part)} is not in ${quote(whole)}`];
}

function compareChoices(
  expected: readonly string[] | undefined,
  actual: readonly string[],
): readonly string[] {
  if (expected === undefined) return [];
  if (expected.length !== actual.length)
    return [
      `expected_choices: expected ${expected.length} (${quoteAll(expected)}), found ${actual.length} (${quoteAll(actual)})`,
    ];
  return expected.flatMap((label, index) =>
    isSameLabel(label, actual[index] ?? "")
      ? []
      : [`expected_choices[${index}]: expected ${quote(label)}, found ${quote(actual[index] ?? null)}`],
  );
}

/** Each entry is typed at once. */
export function compareReply(
  expected: ExpectedReply,
  planned: PlannedReply,
  index: number,
): readonly string[] {
  const field = `replies[${index}].expected_keys`;
  const wanted = expected.expectedKeys;
  if (planned.kind === "refused")
    return wanted.length === 0
      ? []
      : [`${field}: expected ${quoteAll(wanted)}, found nothing typed: ${planned.reason}`];
  const same =
    wanted.length === planned.keys.length && wanted.every((key, place) => key === planned.keys[place]);
  return same ? [] : [`${field}: expected ${quoteAll(wanted) || "nothing"}, found ${quoteAll(planned.keys)}`];
}

function quote(text: string | null): string {
  return text === null ? "nothing" : JSON.stringify(text);
}

function quoteAll(texts: readonly string[]): string {
  return texts.map(quote).join(", ");
}

/** Rows may break anywhere, so blanks are ignored. */
export function isSameLabel(a: string, b: string): boolean {
  return withoutBlanks(a) === withoutBlanks(b);
}

/** Rows may break anywhere, and tools indent the next row. A blank must match a blank: `rm -rf / tmp` does not contain `rm -rf /tmp`. */
export function containsText(whole: string, part: string): boolean {
  if (whole.includes(part)) return true;
  const words = part.trim().split(/\s+/).map(buildBreakablePattern);
  return new RegExp(words.join("\\s{1,200}"), "u").test(whole);
}

function buildBreakablePattern(text: string): string {
  return [...text].map(escapeLiteral).join("(?:\\n[ \\t]{0,80})?");
}

function escapeLiteral(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/]/u, "\\$&");
}

function withoutBlanks(text: string): string {
  return text.replace(/\s+/gu, "");
}
