/** Questions with options in a call's input (`questions: [{question, header, multiSelect, options}]`), as people see them. Pure. */
import type { FormField } from "../../../model/answer/form.js";
import { toArray, isObject, toText, type Json } from "../../../model/data/json.js";
import type { Choice } from "../../../model/prompt.js";

export interface AskedOption {
  readonly label: string;
  readonly detail: string | null;
  /** What the tool shows beside the option, such as a sketch or code. */
  readonly preview: string | null;
}

export interface AskedQuestion {
  readonly question: string;
  readonly header: string | null;
  readonly multi: boolean;
  readonly options: readonly AskedOption[];
}

/** Null unless every question can be read: half a form cannot be answered. */
export function readQuestions(input: Json): AskedQuestion[] | null {
  const questions = toArray(input["questions"]).map(readQuestion);
  const whole = questions.filter((question) => question !== null);
  const texts = new Set(whole.map(({ question }) => question));
  return whole.length > 0 && whole.length === questions.length && texts.size === whole.length ? whole : null;
}

function readQuestion(given: unknown): AskedQuestion | null {
  if (!isObject(given)) return null;
  const question = toText(given["question"]);
  const options = toArray(given["options"]).map(readOption);
  const whole = options.filter((option) => option !== null);
  if (question === null || question.trim() === "" || whole.length === 0 || whole.length < options.length)
    return null;
  return { question, header: toText(given["header"]), multi: given["multiSelect"] === true, options: whole };
}

function readOption(given: unknown): AskedOption | null {
  if (!isObject(given)) return null;
  const label = toText(given["label"]);
  if (label === null || label.trim() === "") return null;
  return { label, detail: toText(given["description"]), preview: toText(given["preview"]) };
}

const OWN_WORDS: RequestChoice = {
  label: "Something else",
  intent: "other",
  takesText: "required",
  effect: { by: "words" },
};
const DECLINE: RequestChoice = {
  label: "Decline to answer",
  intent: "reject_once",
  takesText: "optional",
  effect: { by: "deny" },
};

export function createSingleChoices({ options }: AskedQuestion): RequestChoice[] {
  return [...options.map(createOptionChoice), OWN_WORDS, DECLINE];
}

export function createOptionChoice({ label, detail }: AskedOption): RequestChoice {
  return { label, intent: "other", ...(detail !== null && { detail }), effect: { by: "option", label } };
}

/** Fields are named after the questions' headers, where these are distinct. */
export function createForm(questions: readonly AskedQuestion[]): FormField[] {
  const headers = questions.map(({ header }) => header?.trim() ?? "");
  const named = new Set(headers).size === headers.length && !headers.includes("");
  return questions.map(({ question, multi, options }, at) => ({
    name: named ? (headers[at] ?? "") : `question ${at + 1}`,
    question,
    options: options.map(({ label, detail }) => ({ label, ...(detail !== null && { detail }) })),
    ownWords: true,
    ...(multi && { multi }),
  }));
}

/** What the question and choices of a card do not show: the whole form, and previews of options. */
export function formatQuestions(questions: readonly AskedQuestion[]): string {
  const previews = questions.flatMap(({ options }) =>
    options.flatMap(({ label, preview }) => (preview === null ? [] : [`${label}:\n${preview}`])),
  );
  const listed = questions.length > 1 ? questions.map(formatQuestion) : [];
  return [...listed, ...previews].join("\n\n");
}

interface ListedQuestion {
  readonly question: string;
  readonly multi?: boolean;
  readonly options: readonly { readonly label: string; readonly detail?: string | null }[];
}

export function formatQuestion({ question, multi, options }: ListedQuestion, at: number): string {
  const rows = options.map(
    ({ label, detail = null }, row) => `   ${row + 1}. ${label}${detail === null ? "" : ` – ${detail}`}`,
  );
  return [`${at + 1}) ${question}${multi ? " (several: 1,3 or none)" : ""}`, ...rows].join("\n");
}

/** Shown labels may be redacted; the tool gets its own. */
export function findOwnLabel(
  options: readonly { readonly label: string }[],
  shown: FormField | undefined,
  label: string,
): string {
  return options[shown?.options.findIndex((option) => option.label === label) ?? -1]?.label ?? label;
}

export interface RequestChoice extends Choice {
  readonly effect: ChoiceEffect;
}

export type ChoiceEffect =
  | { readonly by: "allow"; readonly updates: readonly Json[] }
  | { readonly by: "deny" }
  | { readonly by: "option"; readonly label: string }
  | { readonly by: "words" };
