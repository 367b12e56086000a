/** The rows that a person can choose on a prompt's page, and the value each of them gives. Pure. */
import { nameChoice } from "../../model/answer/choice-names.js";
import type { WatchedPrompt } from "../../client/watch-hub.js";
import { nameKey } from "../../model/answer/screen-keys.js";
import { DECLINE, STOP } from "../../model/answer/reply.js";

export interface AnswerRow {
  /** Shown before it, and the key that selects it; empty beyond the ninth row. */
  /** Its number or letter. */
  readonly digit: string;
  readonly label: string;
  readonly detail: string | null;
  /** The value it answers with; for a row that is ticked, its number in the list. */
  readonly value: string;
  readonly text: "none" | "optional" | "required";
  /** `always` grants more than this one answer; `no` grants nothing. */
  readonly tone: "plain" | "always" | "no";
  /** It is ticked, not sent. */
  readonly ticks: boolean;
  /** The tool's own default. */
  readonly isDefault: boolean;
  /** It answers all of these prompts. */
  readonly alike?: readonly string[];
}

/** Empty for a secret, which is typed only at the tool's own terminal. */
export function buildRows(prompt: WatchedPrompt): readonly AnswerRow[] {
  const { type, details } = prompt;
  if (type === "secret") return [];
  const rows =
    type === "yes_no" || type === "multiple_choice" ? buildChoiceRows(prompt) : buildActionRows(prompt);
  const { declinable, stoppable } = details.constraints;
  const refusals = [
    ...(declinable ? [buildRow({ label: "Decline to answer", value: DECLINE, tone: "no" })] : []),
    ...(stoppable ? [buildRow({ label: "Deny and stop", value: STOP, tone: "no" })] : []),
  ];
  // A digit is one of the keys there, and must not select another one.
  const hasDigits = details.constraints.keys?.some(({ key }) => /^\d$/.test(key));
  const names = type === "unknown" && hasDigits ? nameKeyRow : nameRow;
  const named = [...rows, ...refusals].map((made, at) => ({
    ...made,
    digit: names(details.constraints, at + 1, made.value),
  }));
  return [...named, ...buildAlikeRows(prompt)];
}

/** Without a digit, so that no key that is meant for this prompt answers others. */
function buildAlikeRows({ alike }: WatchedPrompt): AnswerRow[] {
  if (alike === undefined) return [];
  const { value, shortIds } = alike;
  const label = `Yes to these ${shortIds.length}: ${shortIds.join(", ")} (the same request)`;
  return [{ ...buildRow({ label, value }), alike: shortIds }];
}

function nameRow({ lettered = false }: WatchedPrompt["details"]["constraints"], index: number): string {
  return index <= 9 ? nameChoice(lettered, index) : "";
}

function nameKeyRow(_: object, __: number, value: string): string {
  return /^\d$/.test(value) ? value : "";
}

function buildChoiceRows({ type, details, defaultChoice }: WatchedPrompt): AnswerRow[] {
  const isMulti = details.constraints.multi ?? false;
  const rows = details.choices.map(({ label, detail, intent, takesText }, at) =>
    buildRow({
      label,
      detail: detail ?? null,
      value: type === "yes_no" ? (at === 0 ? "y" : "n") : String(at + 1),
      text: takesText ?? "none",
      tone: intent === "allow_always" ? "always" : intent.startsWith("reject") ? "no" : "plain",
      ticks: isMulti,
      isDefault: !isMulti && defaultChoice === at + 1,
    }),
  );
  return isMulti ? [...rows, buildRow({ label: "Send the ticked choices", value: "" })] : rows;
}

function buildActionRows({ type, details }: WatchedPrompt): AnswerRow[] {
  if (type === "confirm_enter") return listKeyRows(["enter"], details.constraints.keys ?? []);
  if (type === "unknown") {
    return [
      ...listKeyRows(["enter", "esc"], details.constraints.keys ?? []),
      buildRow({ label: "Type a text (not for passwords)", value: "text:", text: "required" }),
    ];
  }
  const { form, allowEmpty } = details.constraints;
  const write = buildRow({
    label: form ? "Answer one by one" : "Type an answer",
    value: "",
    text: "required",
  });
  return allowEmpty && !form ? [write, buildRow({ label: "Leave it empty", value: "" })] : [write];
}

/** A key that the screen says something of shows it. */
function listKeyRows(first: readonly string[], keys: KeysOf): AnswerRow[] {
  const others = keys.map(({ key }) => key).filter((key) => !first.includes(key));
  return [...first, ...others].map((key) => {
    const does = keys.find((offered) => offered.key === key)?.does;
    const label = `Press ${nameKey(key)}${does === undefined ? "" : `: ${does}`}`;
    return buildRow({ label, value: key, tone: key === "esc" ? "no" : "plain" });
  });
}

type KeysOf = NonNullable<WatchedPrompt["details"]["constraints"]["keys"]>;

function buildRow(given: Partial<AnswerRow> & Pick<AnswerRow, "label" | "value">): AnswerRow {
  return { digit: "", detail: null, text: "none", tone: "plain", ticks: false, isDefault: false, ...given };
}

/** The number of texts a row needs: one, or one for each question of a form. */
export function countTexts({ details }: WatchedPrompt): number {
  return details.constraints.form?.length ?? 1;
}

/** What the `at`-th text (0-based) answers: a form's question with its options. */
export function describeText(
  { details }: WatchedPrompt,
  { label }: AnswerRow,
  at: number,
): readonly string[] {
  const field = details.constraints.form?.[at];
  if (!field) return [label];
  const how = field.multi ? "numbers (1,3), or none" : "a number";
  const options = field.options.map((option, index) => `${index + 1}  ${option.label}`);
  const asks = options.length === 0 ? "your own text" : field.ownWords ? `${how}, or your own text` : how;
  return [`${field.question} (${asks})`, ...options];
}

export interface WatchAnswer {
  readonly value: string;
  readonly text?: string;
  /** The person was told that something is hidden. */
  readonly acceptHidden?: true;
  /** For all of these prompts. */
  readonly alike?: readonly string[];
}

/** Builds the answer from the chosen row, its ticks (1-based) and its texts. */
export function buildAnswer(
  { type }: WatchedPrompt,
  chosen: AnswerRow,
  ticked: readonly number[],
  texts: readonly string[],
): WatchAnswer {
  if (chosen.alike !== undefined) return { value: chosen.value, alike: chosen.alike };
  if (type === "free_text" && chosen.text !== "none") return { value: texts.join("\n") };
  if (type === "unknown") return { value: `${chosen.value}${texts.join("\n")}` };
  const isSend = type === "multiple_choice" && chosen.value === "";
  const value = isSend ? ticked.join(",") : chosen.value;
  const text = texts.join("\n");
  return text === "" ? { value } : { value, text };
}
