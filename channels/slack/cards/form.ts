/** The form (modal) for answers that a single tap cannot give. Pure. */
import type { PromptNotice } from "../../../src/sdk/channel.js";
import type { types } from "@slack/bolt";
import { formatChoiceName } from "../../../src/sdk/card-words.js";
import { listsForm } from "../../../src/sdk/card-parts.js";
import type { Choice, FormField } from "../../../src/sdk/channel.js";
import { clip } from "../../../src/sdk/text.js";
import {
  BOXES_MAX,
  BUTTON_TEXT_MAX,
  FIELDS_MAX,
  INPUT_MAX,
  LABEL_MAX,
  OPTIONS_MAX,
  QUESTION_MAX,
} from "../limits.js";
import {
  toPlainSpan,
  buildPlainText,
  buildRichText,
  buildSection,
  type SlackBlock,
  type SlackSpan,
} from "./rich.js";
import { FORM_CALLBACK, nameChoiceBlock, nameTextBlock, type FormMetadata } from "./submission.js";

/** One or two inputs: a selection, and text. */
interface FormInput {
  readonly title: string;
  readonly options: readonly Option[];
  readonly several: boolean;
  /** Choosing nothing is an answer, or text replaces it. */
  readonly mayChooseNone: boolean;
  readonly text: "none" | "optional" | "required";
  readonly textTitle: string;
}

interface Option {
  /** The number or letter that answers. */
  readonly name: string;
  readonly label: string;
}

export interface AnswerForm {
  readonly kind: FormMetadata["kind"];
  /** The label of the button that opens it. */
  readonly opener: string;
  readonly questions: readonly FormInput[];
}

const WORDS: FormInput = {
  title: "",
  options: [],
  several: false,
  mayChooseNone: false,
  text: "required",
  textTitle: "Your text",
};

/** Null if the buttons cover all answers. */
export function buildForm(notice: PromptNotice): AnswerForm | null {
  if (!notice.acceptsText) return null;
  switch (notice.promptType) {
    case "free_text":
      return notice.form
        ? buildFieldsForm(notice.form, notice.step ? ALL_AT_ONCE : ANSWER)
        : { kind: "text", opener: ANSWER, questions: [WORDS] };
    case "unknown":
      return {
        kind: "keys",
        opener: "💬 Type…",
        questions: [{ ...WORDS, textTitle: "Typed as it is (no passwords)" }],
      };
    case "multiple_choice":
      return buildChoicesForm(notice);
    case "yes_no":
    case "confirm_enter":
    case "secret":
      return null;
  }
}

const ANSWER = "💬 Answer…";
/** Beside the buttons of one question. */
const ALL_AT_ONCE = "💬 In a form…";
const BY_LINES = "One line per question: a number, numbers like 1,3, or text";

function buildFieldsForm(fields: readonly FormField[], opener: string): AnswerForm {
  const fits = fields.length <= FIELDS_MAX && fields.every(({ options }) => options.length <= OPTIONS_MAX);
  if (!fits) return { kind: "text", opener, questions: [{ ...WORDS, textTitle: BY_LINES }] };
  return { kind: "fields", opener, questions: fields.map(buildQuestion) };
}

function buildQuestion({ question, options, multi, ownWords }: FormField): FormInput {
  const wordsOnly = options.length === 0;
  return {
    title: question,
    options: options.map(({ label }, index) => ({ name: String(index + 1), label })),
    several: multi === true,
    mayChooseNone: multi === true || ownWords === true,
    text: wordsOnly ? "required" : ownWords ? "optional" : "none",
    textTitle: wordsOnly ? question : "Or your own text (it replaces the selection)",
  };
}

function buildChoicesForm(notice: PromptNotice): AnswerForm | null {
  const { choices, buttons, multi } = notice;
  // Numbers work for any count of choices.
  if (choices.length > OPTIONS_MAX)
    return {
      kind: "text",
      opener: "💬 By number…",
      questions: [{ ...WORDS, textTitle: "The number of your choice" }],
    };
  const options = choices.map(({ label }, index) => ({ name: formatChoiceName(notice, index + 1), label }));
  // The card itself is ticked.
  if (multi && notice.step) return null;
  if (multi) return { kind: "ticks", opener: "☑️ Choose…", questions: [{ ...PICK, ...TICKS, options }] };
  const wordy = options.filter((_, index) => takesText(choices[index]));
  if (buttons.length === 0) {
    const text = wordy.length > 0 ? "optional" : "none";
    return { kind: "pick", opener: "☑️ Choose…", questions: [{ ...PICK, options, text }] };
  }
  if (wordy.length === 0) return null;
  return { kind: "pick", opener: "💬 Other…", questions: [{ ...PICK, options: wordy, text: "required" }] };
}

const PICK: FormInput = { ...WORDS, title: "Your choice", text: "none" };
const TICKS = {
  title: "Your choices (none is also an answer)",
  several: true,
  mayChooseNone: true,
} as const;

function takesText(choice: Choice | undefined): boolean {
  return choice?.takesText !== undefined;
}

/** `card`: the message that the form answers. */
export function buildView(
  notice: PromptNotice,
  { kind, questions }: AnswerForm,
  card: { readonly channel: string; readonly ts: string; readonly thread?: string },
): types.ModalView {
  const question = clip(notice.question, QUESTION_MAX);
  const meta: FormMetadata = { delivery: notice.deliveryId, ...card, kind, questions: questions.length };
  return {
    type: "modal",
    callback_id: FORM_CALLBACK,
    private_metadata: JSON.stringify(meta),
    title: buildPlainText(`Answer ${notice.shortId}`),
    submit: buildPlainText("Send"),
    close: buildPlainText("Cancel"),
    blocks: [
      ...(kind === "fields" && listsForm(notice)
        ? []
        : buildRichText([buildSection([toPlainSpan(question)])])),
      ...questions.flatMap((question, index) => buildInputs(question, index, kind)),
    ],
  };
}

function buildInputs(question: FormInput, index: number, kind: AnswerForm["kind"]): SlackBlock[] {
  return [
    ...buildLongLabels(question),
    ...buildChoiceInput(question, index),
    ...buildTextInput(question, index, kind),
  ];
}

/** Options that are too long to show completely are listed above the input. */
function buildLongLabels({ options }: FormInput): SlackBlock[] {
  if (!options.some((option) => formatOption(option).length > BUTTON_TEXT_MAX)) return [];
  return buildRichText(
    options.map(({ name, label }) => {
      const span: SlackSpan = toPlainSpan(`${name}. ${clip(label, LABEL_MAX)}`);
      return buildSection([span]);
    }),
  );
}

function buildChoiceInput(
  { title, options, several, mayChooseNone }: FormInput,
  index: number,
): SlackBlock[] {
  if (options.length === 0) return [];
  const items = options.map((option) => ({
    text: buildPlainText(clip(formatOption(option), BUTTON_TEXT_MAX)),
    value: option.name,
  }));
  return [
    {
      type: "input",
      block_id: nameChoiceBlock(index),
      label: buildPlainText(clip(title, QUESTION_MAX)),
      element: several ? buildBoxes(nameChoiceBlock(index), items) : buildMenu(nameChoiceBlock(index), items),
      optional: mayChooseNone,
    },
  ];
}

type Items = types.PlainTextOption[];

function buildBoxes(name: string, options: Items): types.Checkboxes | types.MultiStaticSelect {
  const type = options.length <= BOXES_MAX ? "checkboxes" : "multi_static_select";
  return { type, action_id: name, options };
}

function buildMenu(name: string, options: Items): types.RadioButtons | types.StaticSelect {
  const type = options.length <= BOXES_MAX ? "radio_buttons" : "static_select";
  const [only, ...others] = options;
  // The only option is selected already.
  const initial = only && others.length === 0 ? { initial_option: only } : {};
  return { type, action_id: name, options, ...initial };
}

function buildTextInput(
  { text, textTitle }: FormInput,
  index: number,
  kind: AnswerForm["kind"],
): SlackBlock[] {
  if (text === "none") return [];
  return [
    {
      type: "input",
      block_id: nameTextBlock(index),
      label: buildPlainText(clip(textTitle, QUESTION_MAX)),
      optional: text === "optional",
      element: {
        type: "plain_text_input",
        action_id: nameTextBlock(index),
        // With several questions each answer is one line.
        multiline: kind !== "fields",
        max_length: INPUT_MAX,
      },
    },
  ];
}

function formatOption({ name, label }: Option): string {
  return `${name}. ${label.replace(/\s{1,8}/g, " ").trim() || "·"}`;
}
