/** The form (modal) for answers that no single tap can give, and what its submission says in the words of the hub. Pure. */
import * as v from "valibot";
import type { types } from "@slack/bolt";
import type { Choice } from "../../src/sdk/channel.js";
import { clip } from "../../src/sdk/text.js";
import type { PromptNotice } from "./card.js";
import { BOXES_MAX, BUTTON_TEXT_MAX, INPUT_MAX, LABEL_MAX, OPTIONS_MAX, QUESTION_MAX } from "./limits.js";
import { plain, plainText, richText, section, type Block } from "./rich.js";

export const FORM_CALLBACK = "answer";
const CHOICE_BLOCK = "choice";
const TEXT_BLOCK = "text";
const VALUE_ACTION = "value";

/** How the submission becomes an answer; travels in the form, so that it means the same after a restart. */
const KINDS = ["text", "keys", "ticks", "pick"] as const;
type Kind = (typeof KINDS)[number];

export interface Form {
  readonly kind: Kind;
  /** On the button that opens it. */
  readonly opener: string;
  /** What can be chosen, with the number that answers. */
  readonly options: readonly { readonly number: number; readonly choice: Choice }[];
  readonly text: "none" | "optional" | "required";
}

/** Null where the buttons say it all. */
export function formOf(notice: PromptNotice): Form | null {
  if (!notice.acceptsText) return null;
  switch (notice.promptType) {
    case "free_text":
      return { kind: "text", opener: "💬 Answer…", options: [], text: "required" };
    case "unknown":
      return { kind: "keys", opener: "💬 Type…", options: [], text: "required" };
    case "multiple_choice":
      return formOfChoices(notice);
    case "yes_no":
    case "confirm_enter":
    case "secret":
      return null;
  }
}

function formOfChoices({ choices, buttons, multi }: PromptNotice): Form | null {
  const options = choices.map((choice, index) => ({ number: index + 1, choice }));
  // Numbers are the hub's words for choices of any count.
  if (choices.length > OPTIONS_MAX)
    return { kind: "text", opener: "💬 By number…", options: [], text: "required" };
  if (multi) return { kind: "ticks", opener: "☑️ Choose…", options, text: "none" };
  const wordy = options.filter(({ choice }) => choice.takesText !== undefined);
  if (buttons.length === 0) {
    const text = wordy.length > 0 ? "optional" : "none";
    return { kind: "pick", opener: "☑️ Choose…", options, text };
  }
  if (wordy.length === 0) return null;
  return { kind: "pick", opener: "💬 Other…", options: wordy, text: "required" };
}

/** What the form needs to know when it comes back. Short keys: Slack keeps at most 3000 characters. */
const metadata = v.object({
  delivery: v.string(),
  channel: v.string(),
  ts: v.string(),
  thread: v.optional(v.string()),
  kind: v.picklist(KINDS),
});
export type FormMetadata = v.InferOutput<typeof metadata>;

/** `card`: the message that the form answers. */
export function viewOf(
  notice: PromptNotice,
  form: Form,
  card: { readonly channel: string; readonly ts: string; readonly thread?: string },
): types.ModalView {
  const meta: FormMetadata = { delivery: notice.deliveryId, ...card, kind: form.kind };
  return {
    type: "modal",
    callback_id: FORM_CALLBACK,
    private_metadata: JSON.stringify(meta),
    title: plainText(`Answer ${notice.shortId}`),
    submit: plainText("Send"),
    close: plainText("Cancel"),
    blocks: [...introOf(notice, form), ...choiceInput(form), ...textInput(form)],
  };
}

function introOf(notice: PromptNotice, { options, kind }: Form): Block[] {
  const cut = options.some(({ choice }) => optionText(1, choice).length > BUTTON_TEXT_MAX);
  const labels = cut
    ? options.map(({ number, choice }) => section([plain(`${number}. ${clip(choice.label, LABEL_MAX)}`)]))
    : [];
  const keys =
    kind === "keys" ? [section([{ text: "This is typed as it is. No passwords.", as: "italic" }])] : [];
  return richText([section([plain(clip(notice.question, QUESTION_MAX))]), ...labels, ...keys]);
}

function choiceInput({ kind, options }: Form): Block[] {
  if (options.length === 0) return [];
  const items = options.map(({ number, choice }) => ({
    text: plainText(clip(optionText(number, choice), BUTTON_TEXT_MAX)),
    value: String(number),
  }));
  const label = plainText(kind === "ticks" ? "Your choices (none is an answer, too)" : "Your choice");
  return [
    {
      type: "input",
      block_id: CHOICE_BLOCK,
      label,
      element: menuOf(kind, items),
      optional: kind === "ticks",
    },
  ];
}

type Menu = types.Checkboxes | types.MultiStaticSelect | types.RadioButtons | types.StaticSelect;

function menuOf(kind: Kind, options: types.PlainTextOption[]): Menu {
  const few = options.length <= BOXES_MAX;
  if (kind === "ticks")
    return { type: few ? "checkboxes" : "multi_static_select", action_id: VALUE_ACTION, options };
  const [first] = options;
  // The only one is chosen already.
  const initial = options.length === 1 && first ? { initial_option: first } : {};
  return { type: few ? "radio_buttons" : "static_select", action_id: VALUE_ACTION, options, ...initial };
}

function textInput({ kind, text }: Form): Block[] {
  if (text === "none") return [];
  const label = plainText(
    kind === "pick" && text === "optional" ? "Your words, if the choice takes some" : "Your words",
  );
  return [
    {
      type: "input",
      block_id: TEXT_BLOCK,
      label,
      optional: text === "optional",
      element: { type: "plain_text_input", action_id: VALUE_ACTION, multiline: true, max_length: INPUT_MAX },
    },
  ];
}

function optionText(number: number, { label }: Choice): string {
  return `${number}. ${label.replace(/\s{1,8}/g, " ").trim() || "·"}`;
}

const option = v.object({ value: v.string() });
const field = v.object({
  value: v.optional(v.nullable(v.string())),
  selected_option: v.optional(v.nullable(option)),
  selected_options: v.optional(v.array(option)),
});
const values = v.record(v.string(), v.record(v.string(), field));

export interface FormAnswer {
  readonly metadata: FormMetadata;
  /** In the hub's grammar: `1,3`, `none`, `3: words`, `text:words`, or the words. */
  readonly text: string;
}

/** What a submission says; null when it is none of ours. */
export function answerOf(privateMetadata: unknown, state: unknown): FormAnswer | null {
  const meta = v.safeParse(metadata, parsed(privateMetadata));
  const given = v.safeParse(values, state);
  if (!meta.success || !given.success) return null;
  const chosen = given.output[CHOICE_BLOCK]?.[VALUE_ACTION];
  const words = given.output[TEXT_BLOCK]?.[VALUE_ACTION]?.value ?? "";
  return { metadata: meta.output, text: answerText(meta.output.kind, chosen, words) };
}

function answerText(kind: Kind, chosen: v.InferOutput<typeof field> | undefined, words: string): string {
  switch (kind) {
    case "text":
      return words;
    case "keys":
      return `text:${words}`;
    case "ticks":
      return chosen?.selected_options?.map(({ value }) => value).join(",") || "none";
    case "pick": {
      const number = chosen?.selected_option?.value ?? "";
      return words === "" ? number : `${number}: ${words}`;
    }
  }
}

function parsed(text: unknown): unknown {
  try {
    return typeof text === "string" ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}
