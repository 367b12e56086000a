/** The button that asks for a text answer: "💬 Other…". It requests a reply and decides nothing. Pure. */
import type { PromptNotice } from "../../../src/sdk/channel.js";
import { formatChoiceName } from "../../../src/sdk/card-words.js";
import type { Choice, NoticeStep } from "../../../src/sdk/channel.js";
import { clip } from "../../../src/sdk/text.js";
import { NAME_MAX } from "../limits.js";

/** How a reply is interpreted: `before` is prepended to the person's text. */
export interface TextRequest {
  readonly deliveryId: string;
  readonly before: string;
}

/** A text answer that a button offers, with the button's label. */
export interface LabelledTextRequest extends TextRequest {
  readonly label: string;
  /** The number of the choice whose text is requested; 0 for the prompt itself. */
  readonly choice: number;
}

const PREFIX = "say:";
/** With an id of 36 characters, 45 bytes of the 64 that a button may carry. */
const DATA = /^say:([\w-]{1,48}):(\d{1,4})$/;

export function encodeTextRequest({
  deliveryId,
  choice,
}: Pick<LabelledTextRequest, "deliveryId" | "choice">): string {
  return `${PREFIX}${deliveryId}:${choice}`;
}

/** The delivery and choice for which a button asks text, or null if the button is an answer itself. */
export function parseTextRequest(
  data: string,
): { readonly deliveryId: string; readonly choice: number } | null {
  const [, deliveryId, choice] = DATA.exec(data) ?? [];
  return deliveryId === undefined ? null : { deliveryId, choice: Number(choice) };
}

const LOOK = /^see:([\w-]{1,48})$/;

/** A card's button that shows the terminal. */
export function encodeScreenRequest(deliveryId: string): string {
  return `see:${deliveryId}`;
}

/** The delivery whose screen somebody wants to see, or null. */
export function parseScreenRequest(data: string): string | null {
  return LOOK.exec(data)?.[1] ?? null;
}

/** All text answers of this prompt, in order. */
export function listTextRequests(notice: PromptNotice): LabelledTextRequest[] {
  const { acceptsText, promptType, deliveryId, choices, multi } = notice;
  if (!acceptsText) return [];
  const whole = { deliveryId, choice: 0, before: "" };
  if (notice.step) return listStepRequests(notice, notice.step);
  if (promptType === "free_text") return [{ ...whole, label: "💬 Answer…" }];
  if (promptType === "unknown") return [{ ...whole, before: "text:", label: "💬 Type text…" }];
  if (promptType !== "multiple_choice") return [];
  if (multi) return [{ ...whole, label: "☑️ Choose…" }];
  return choices.flatMap(({ takesText, label }, at) =>
    takesText === undefined
      ? []
      : [
          {
            deliveryId,
            choice: at + 1,
            before: `${formatChoiceName(notice, at + 1)}: `,
            label: `💬 ${formatChoiceName(notice, at + 1)}. ${joinLines(label).replace(/[.…]$/, "")}…`,
          },
        ],
  );
}

/** Own words for the question that the card shows; the reply names it, because the card may show another one by then. */
function listStepRequests({ deliveryId, form }: PromptNotice, { asked }: NoticeStep): LabelledTextRequest[] {
  if (form === null || asked === null) return [];
  const { number, field } = asked;
  const before = form.length === 1 ? "" : `question ${number}: `;
  if (field.options.length === 0) return [{ deliveryId, choice: 0, before, label: "💬 Answer…" }];
  return field.ownWords ? [{ deliveryId, choice: 0, before, label: "💬 Something else…" }] : [];
}

/** Whether this choice requires text: its button then asks for it. */
export function needsWords({ takesText }: Choice): boolean {
  return takesText === "required";
}

const CHECK_LIST = "with the numbers of your choices, like 1,3, or with none";

/** The text of the message that a person replies to. */
export function formatTextRequest(notice: PromptNotice, { choice }: LabelledTextRequest): string {
  const { shortId, choices, step } = notice;
  const chosen = choices[choice - 1];
  const question = notice.form === null ? notice.question : (step?.asked?.field.question ?? notice.question);
  const about = chosen === undefined ? question : `${formatChoiceName(notice, choice)}. ${chosen.label}`;
  const what = chosen === undefined && notice.multi ? CHECK_LIST : "with your answer";
  return `💬 ${shortId}: reply to this message ${what}.\n${clip(joinLines(about), NAME_MAX)}`;
}

function joinLines(text: string): string {
  return text.replace(/\s{1,8}/g, " ").trim();
}
