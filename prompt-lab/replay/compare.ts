/** What a replay showed against what a scenario expects: pure, and every difference in plain words. */
import type { Confidence, PromptType, SafetyClass } from "../../src/model/prompt.js";
import type { ToolState } from "../../src/model/tool-state.js";
import type { ExpectedReply, Expectations } from "../scenario/scenario.js";

/** The prompt pending at the end (type null when there is none), and the recording as a whole. */
export interface Actual {
  readonly type: PromptType | null;
  readonly confidence: Confidence | null;
  readonly safetyClass: SafetyClass | null;
  readonly excerpt: string | null;
  readonly content: string | null;
  readonly choices: readonly string[];
  /** Second lines of the choices; people are shown them beside the content. */
  readonly details: readonly string[];
  /** 1-based. */
  readonly defaultChoice: number | null;
  /** Null: nothing on the screen tells. */
  readonly state: ToolState | null;
  readonly count: number;
}

/** The keys planned for one reply, or why nothing would be typed. */
export type PlannedReply =
  | { readonly kind: "keys"; readonly keys: readonly string[] }
  | { readonly kind: "refused"; readonly reason: string };

/** One line for each difference; empty: the scenario passed. */
export function compare(expected: Expectations, actual: Actual): readonly string[] {
  return [
    ...compareType(expected, actual),
    // Without a prompt on both sides, every further line would only repeat that.
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

/** Key by key: what is written in one go is one entry. */
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

/** A label is one line however many rows it took; where a row broke, nobody can tell if a blank stood there. */
export function isSameLabel(a: string, b: string): boolean {
  return withoutBlanks(a) === withoutBlanks(b);
}

/**
 * Whether `whole` holds `part`. A row may break anywhere, and a tool indents what it continues; but a blank stands for a
 * blank: `rm -rf / tmp` does not hold `rm -rf /tmp`.
 */
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
