/** Parses written answers. Only exact words count: "not ok" is never yes, and a stray number is never a choice. */
import { LEAVE_OUT, type FormField } from "../../model/answer/form.js";
import { findChoice, nameChoice } from "../../model/answer/choice-names.js";
import { isControlKey, parseKeyName, takesKeys } from "../../model/answer/screen-keys.js";
import { DECLINE, STOP } from "../../model/answer/reply.js";
import type { Refusal, RefusalCode } from "../../model/answer/refusal.js";
import type { PromptEvent } from "../../model/prompt.js";

export interface TypedAnswer {
  readonly value: string;
  readonly text?: string;
}

/** Legal for no prompt: a text that is no answer passes the same checks of person and time and is then refused. */
export const NO_ANSWER: TypedAnswer = { value: "\u0000" };

const YES_NO_WORDS: readonly string[] = ["y", "n", "yes", "no"];
const INDEX = /^[1-9][0-9]{0,2}$/;
const INDEXES = /^[1-9][0-9]{0,2}(?: {0,8}, {0,8}[1-9][0-9]{0,2}){0,998}$/;
const INDEX_WITH_TEXT = /^([1-9][0-9]{0,2}): {0,8}(\S[\s\S]*)$/;

const LETTER_WITH_TEXT = /^([A-Za-z])(?:: {0,8}(\S[\s\S]*))?$/;

const KEY_WORDS: readonly string[] = ["enter", "esc", "none", "ok", "allow", "deny", DECLINE, STOP];

/** Whether the text could answer some prompt. Such a text is no task: it probably means a prompt that has just ended. */
export function looksLikeAnswer(text: string): boolean {
  const word = text.trim().toLowerCase();
  return YES_NO_WORDS.includes(word) || KEY_WORDS.includes(word) || INDEXES.test(word);
}

/**
 * Parses a text sent as the answer to this prompt: `y`, `2`, `1,3`, `3: use tabs instead` (a choice with text), `enter`, or
 * free text; otherwise NO_ANSWER. `parseLegalValue` decides whether the value is allowed.
 */
export function parseTypedAnswer(event: PromptEvent, text: string): TypedAnswer {
  const word = text.trim();
  if (event.constraints.declinable && word.toLowerCase() === DECLINE) return { value: DECLINE };
  if (event.constraints.stoppable && word.toLowerCase() === STOP) return { value: STOP };
  // `parseLegalValue` refuses it with a reason.
  if (event.constraints.localOnly) return { value: "" };
  switch (event.promptType) {
    case "yes_no":
      return YES_NO_WORDS.includes(word.toLowerCase()) ? { value: word } : NO_ANSWER;
    case "multiple_choice":
      return event.constraints.multi ? parseCheckList(word) : parseChoice(event, word);
    case "confirm_enter":
      return parseKey(event, word, ["enter"]) ?? NO_ANSWER;
    case "free_text":
      return { value: text };
    case "unknown":
      return parseKey(event, word, ["enter", "esc"]) ?? { value: word };
    case "secret":
      return { value: "" };
  }
}

function parseChoice({ constraints }: PromptEvent, word: string): TypedAnswer {
  if (constraints.lettered) return parseLetteredChoice(constraints, word);
  if (INDEX.test(word)) return { value: word };
  const [, value, text] = INDEX_WITH_TEXT.exec(word) ?? [];
  return value !== undefined && text !== undefined ? { value, text } : NO_ANSWER;
}

/** A number is refused here, because it may mean a row of the dialog on the screen. */
function parseLetteredChoice(constraints: PromptEvent["constraints"], word: string): TypedAnswer {
  const [, letter = "", text] = LETTER_WITH_TEXT.exec(word) ?? [];
  const value = findChoice(constraints, letter);
  if (value === null) return NO_ANSWER;
  return { value: String(value), ...(text !== undefined && { text }) };
}

function parseCheckList(word: string): TypedAnswer {
  if (word.toLowerCase() === "none") return { value: "" };
  return INDEXES.test(word) ? { value: word } : NO_ANSWER;
}

function parseKey({ constraints }: PromptEvent, word: string, always: readonly string[]): TypedAnswer | null {
  const key = parseKeyName(word);
  const isOne = always.includes(key) || constraints.keys?.some((offered) => offered.key === key);
  return isOne ? { value: key } : null;
}

export function describeAnswers(event: PromptEvent, safeText: (text: string) => string): string {
  const { lettered = false } = event.constraints;
  const choices = event.choices.map(({ label }, at) => `${nameChoice(lettered, at + 1)}: ${safeText(label)}`);
  const isListed = event.promptType === "multiple_choice" && choices.length > 0;
  return isListed ? `${describeHowToAnswer(event)} ${choices.join("; ")}` : describeHowToAnswer(event);
}

const HOW_TO_ANSWER_LETTERED =
  "Answer with the letter of the choice, or letter and text: `C: your text`. Numbers would mean the rows of the dialog on the screen.";

export function describeHowToAnswer(event: PromptEvent): string {
  if (event.constraints.localOnly) return "This can only be answered at the terminal.";
  switch (event.promptType) {
    case "yes_no":
      return "Answer with yes or no.";
    case "multiple_choice":
      if (event.constraints.multi) return "Answer with the numbers of the choices (1,3) or none.";
      if (event.constraints.lettered) return HOW_TO_ANSWER_LETTERED;
      return event.choices.some(({ takesText }) => takesText !== undefined)
        ? "Answer with the number of the choice, or number and text: `3: your text`."
        : "Answer with the number of the choice.";
    case "confirm_enter":
      return `Answer with ${["enter", ...listOtherKeys(event)].join(", or ")}.`;
    case "free_text":
      return event.constraints.form ? describeHowToFillIn(event.constraints.form) : "Answer with your text.";
    case "unknown":
      return takesKeys(event.constraints)
        ? `Answer with ${describeKeys(event)}, or \`text:\` and what to type (no passwords).`
        : `Answer with ${describeKeys(event)}, or what to type (no passwords).`;
    case "secret":
      return "This can only be answered at the terminal.";
  }
}

function describeKeys(event: PromptEvent): string {
  const others = listOtherKeys(event);
  const control = others.filter(isControlKey);
  if (control.length === others.length) return ["enter", "esc", ...control].join(", ");
  const moving = "up, down, left, right, tab, shift+tab, space, a digit";
  return `a key (${["enter, esc", moving, ...control].join(", ")})`;
}

function listOtherKeys({ constraints }: PromptEvent): string[] {
  return (constraints.keys ?? []).map(({ key }) => key).filter((key) => key !== "enter");
}

function describeHowToFillIn(form: readonly FormField[]): string {
  const lines =
    "Answer with one line for each question: the number of the choice, numbers (1,3), or your own words";
  return form.some(({ optional }) => optional)
    ? `${lines}; ${LEAVE_OUT} skips an optional one.`
    : `${lines}.`;
}

/** Refusals that leave the prompt open and that a different wording would resolve. */
const MENDABLE: readonly RefusalCode[] = [
  "option_unknown",
  "text_required",
  "form_incomplete",
  "text_not_taken",
  "empty",
];

/** Why an answer was refused and, where other words would do, how to answer. With `safeText` the choices are listed. */
export function explainRefusal(
  { code, text }: Refusal,
  event: PromptEvent | undefined,
  safeText?: (text: string) => string,
): string {
  if (!event || !MENDABLE.includes(code)) return text;
  return `${text} ${safeText ? describeAnswers(event, safeText) : describeHowToAnswer(event)}`;
}

/** Rows above a question in which its choices may stand. */
const CHOICE_ROWS = 24;
const NUMBERED_ROW = /^\s*[[(]?(\d{1,3})(?:[).:\]]| [-=])\s/u;
const LETTERS = /[[(]\p{L}{1,3}[\])](?:[^[(]{1,60})[[(]\p{L}{1,3}[\])]/u;
const WORDS = /[[(<]\p{L}{1,12}(?:[/|]\p{L}{1,12}){1,9}[\])>]/u;

/** Whether a text is asked for below choices of which this number is none: its writer probably counted them. */
export function isStrayNumber({ promptType, constraints, content }: PromptEvent, value: string): boolean {
  if (promptType !== "free_text" || constraints.form || !/^\d{1,3}$/u.test(value.trim())) return false;
  const rows = content.text.split("\n").slice(-CHOICE_ROWS);
  const numbers = rows.flatMap((row) => NUMBERED_ROW.exec(row)?.[1] ?? []);
  if (numbers.length >= 2) return !numbers.includes(value.trim());
  return rows.slice(-3).some((row) => LETTERS.test(row) || WORDS.test(row));
}
