/** Converts a submitted form to the hub's answer syntax. Pure; accepts any input. */
import * as v from "valibot";

export const FORM_CALLBACK = "answer";

/** Names of the inputs of the n-th question (from 0). Block and element need different names. */
export function nameChoiceBlock(index: number): string {
  return `choice${index}`;
}

export function nameTextBlock(index: number): string {
  return `text${index}`;
}

/** How the form becomes an answer; stored in the form, so that it means the same after a restart. */
const KINDS = ["text", "keys", "ticks", "pick", "fields"] as const;

const metadata = v.object({
  delivery: v.string(),
  channel: v.string(),
  ts: v.string(),
  thread: v.optional(v.string()),
  kind: v.picklist(KINDS),
  questions: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)),
});
export type FormMetadata = v.InferOutput<typeof metadata>;

const option = v.object({ value: v.string() });
const field = v.object({
  value: v.optional(v.nullable(v.string())),
  selected_option: v.optional(v.nullable(option)),
  selected_options: v.optional(v.array(option)),
});
const values = v.record(v.string(), v.record(v.string(), field));
type SubmittedValues = v.InferOutput<typeof values>;

export interface SlackFormAnswer {
  readonly metadata: FormMetadata;
  /** In the hub's answer syntax: `1,3`, `none`, `3: text`, `text:…`, a line for each question, or the text. */
  readonly text: string;
}

/** Null if it is not one of our forms. */
export function parseSubmission(privateMetadata: unknown, state: unknown): SlackFormAnswer | null {
  const meta = v.safeParse(metadata, parseJson(privateMetadata));
  const given = v.safeParse(values, state);
  if (!meta.success || !given.success) return null;
  return { metadata: meta.output, text: buildAnswerText(meta.output, given.output) };
}

function buildAnswerText({ kind, questions }: FormMetadata, given: SubmittedValues): string {
  const words = getText(given, 0);
  switch (kind) {
    case "text":
      return words;
    case "keys":
      return `text:${words}`;
    case "ticks":
      return getChosen(given, 0);
    case "pick": {
      const number = getChosen(given, 0);
      return words === "" ? number : `${number}: ${words}`;
    }
    case "fields":
      return Array.from({ length: questions }, (_, index) => buildLine(given, index)).join("\n");
  }
}

/** Own text takes precedence over a selection; the form says so. */
function buildLine(given: SubmittedValues, index: number): string {
  return (
    getText(given, index)
      .replace(/\s{0,8}\n\s{0,8}/g, " ")
      .trim() || getChosen(given, index)
  );
}

function getText(given: SubmittedValues, index: number): string {
  return findInput(given, nameTextBlock(index))?.value ?? "";
}

function getChosen(given: SubmittedValues, index: number): string {
  const chosen = findInput(given, nameChoiceBlock(index));
  if (chosen?.selected_options) return chosen.selected_options.map(({ value }) => value).join(",") || "none";
  return chosen?.selected_option?.value ?? "";
}

function findInput(given: SubmittedValues, name: string): v.InferOutput<typeof field> | undefined {
  return given[name]?.[name];
}

function parseJson(text: unknown): unknown {
  try {
    return typeof text === "string" ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}
