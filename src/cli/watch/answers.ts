import type { WatchedPrompt } from "../../client/watch-hub.js";
import { nameChoice } from "../../model/answer/choice-names.js";
import { DECLINE, LEAVE_EMPTY, STOP } from "../../model/answer/reply.js";
import { nameKey } from "../../model/answer/screen-keys.js";

export interface AnswerRow {
  readonly label: string;
  /** The value to send; for a row that is ticked, its number. */
  readonly value: string;
  /** The digit or letter that selects the row; missing after the ninth, and where what is typed is the answer. */
  readonly digit?: string;
  readonly detail?: string | undefined;
  readonly text?: "none" | "optional" | "required" | undefined;
  readonly always?: boolean;
  /** Enter ticks this row instead of sending it. */
  readonly ticks?: boolean;
  readonly alike?: readonly string[];
}

export interface WatchAnswer {
  readonly value: string;
  readonly text?: string;
  /** The person confirmed that something is hidden. */
  readonly acceptHidden?: true;
  readonly alike?: readonly string[];
}

type KeysOf = NonNullable<WatchedPrompt["details"]["constraints"]["keys"]>;

/** Empty for a secret, which is typed only at the tool's own terminal. */
export function buildRows(prompt: WatchedPrompt): readonly AnswerRow[] {
  const { type, details, alike } = prompt;
  if (type === "secret") return [];
  const { declinable, stoppable, lettered = false, keys = [] } = details.constraints;
  const rows: AnswerRow[] = [
    ...(type === "yes_no" || type === "multiple_choice" ? buildChoiceRows(prompt) : buildActionRows(prompt)),
    ...(declinable ? [{ label: "Decline to answer", value: DECLINE }] : []),
    ...(stoppable ? [{ label: "Deny and stop", value: STOP }] : []),
  ];
  // Where the screen takes digits, a digit selects the row of that key and no other row.
  const takesDigits = type === "unknown" && keys.some(({ key }) => /^\d$/.test(key));
  const named = rows.map((row, at): AnswerRow => {
    if (type === "free_text") return row;
    if (takesDigits) return /^\d$/.test(row.value) ? { ...row, digit: row.value } : row;
    return at < 9 ? { ...row, digit: nameChoice(lettered, at + 1) } : row;
  });
  if (alike === undefined) return named;
  const { value, shortIds } = alike;
  const label = `Yes to these ${shortIds.length}: ${shortIds.join(", ")} (the same request)`;
  // Without a digit, so that no key for this prompt answers the others.
  return [...named, { label, value, alike: shortIds }];
}

/** The row whose text field a typed letter opens. On a screen that no rule reads, a letter may be meant as a key. */
export function findTextRow({ type }: WatchedPrompt, rows: readonly AnswerRow[]): AnswerRow | null {
  const [row = null, ...others] = rows.filter(({ text, ticks }) => text === "required" && !ticks);
  return type === "unknown" || others.length > 0 ? null : row;
}

function buildChoiceRows({ type, details, defaultChoice }: WatchedPrompt): AnswerRow[] {
  const isMulti = details.constraints.multi ?? false;
  const rows = details.choices.map(({ label, detail, intent, takesText }, at) => ({
    label: !isMulti && defaultChoice === at + 1 ? `${label} (the tool's default)` : label,
    detail,
    value: type === "yes_no" ? (at === 0 ? "y" : "n") : String(at + 1),
    text: takesText,
    always: intent === "allow_always",
    ticks: isMulti,
  }));
  return isMulti ? [...rows, { label: "Send the ticked choices", value: "" }] : rows;
}

function buildActionRows({ type, details }: WatchedPrompt): AnswerRow[] {
  const { form, allowEmpty, keys = [] } = details.constraints;
  if (type === "confirm_enter") return listKeyRows(["enter"], keys);
  if (type === "unknown") {
    const text = { label: "Type a text (not for passwords)", value: "text:", text: "required" } as const;
    return [...listKeyRows(["enter", "esc"], keys), text];
  }
  const write = {
    label: form ? "Answer one by one" : "Type an answer",
    value: "",
    text: "required",
  } as const;
  return allowEmpty && !form ? [write, { label: LEAVE_EMPTY, value: "" }] : [write];
}

/** A label says what the key does if the screen shows that. */
function listKeyRows(first: readonly string[], keys: KeysOf): AnswerRow[] {
  const others = keys.map(({ key }) => key).filter((key) => !first.includes(key));
  return [...first, ...others].map((key) => {
    const does = keys.find((offered) => offered.key === key)?.does;
    return { label: `Press ${nameKey(key)}${does === undefined ? "" : `: ${does}`}`, value: key };
  });
}

/** A heading for each text that the row needs: one for each question of a form, otherwise the row's label. */
export function listTexts({ details }: WatchedPrompt, { label }: AnswerRow): readonly (readonly string[])[] {
  const { form } = details.constraints;
  if (!form) return [[label]];
  return form.map(({ question, options, multi, ownWords }) => {
    const how = multi ? "numbers (1,3), or none" : "a number";
    const asks = options.length === 0 ? "your own text" : ownWords ? `${how}, or your own text` : how;
    return [`${question} (${asks})`, ...options.map((option, index) => `${index + 1}  ${option.label}`)];
  });
}

export function buildAnswer(
  { type }: WatchedPrompt,
  { value, alike, text: takesText }: AnswerRow,
  ticked: readonly number[],
  texts: readonly string[],
): WatchAnswer {
  if (alike !== undefined) return { value, alike };
  const text = texts.join("\n");
  if (type === "free_text" && takesText === "required") return { value: text };
  if (type === "unknown") return { value: `${value}${text}` };
  const isSend = type === "multiple_choice" && value === "";
  return { value: isSend ? ticked.join(",") : value, ...(text !== "" && { text }) };
}
