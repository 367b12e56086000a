/** The button that asks for a text answer: "💬 Other…". It requests a reply and decides nothing. Pure. */
import type { PromptNotice } from "../../../src/sdk/channel.js";
import { formatChoiceName } from "../../../src/sdk/card-words.js";
import type { Choice } from "../../../src/sdk/channel.js";
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
            label: `💬 ${formatChoiceName(notice, at + 1)}. ${oneLine(label).replace(/[.…]$/, "")}…`,
          },
        ],
  );
}

/** Whether this choice requires text: its button then asks for it. */
export function needsWords({ takesText }: Choice): boolean {
  return takesText === "required";
}

/** The text of the message that a person replies to. */
export function formatTextRequest(notice: PromptNotice, { choice }: LabelledTextRequest): string {
  const { shortId, question, choices } = notice;
  const chosen = choices[choice - 1];
  const about = chosen === undefined ? question : `${formatChoiceName(notice, choice)}. ${chosen.label}`;
  return `💬 ${shortId}: reply to this message with your answer.\n${clip(oneLine(about), NAME_MAX)}`;
}

function oneLine(text: string): string {
  return text.replace(/\s{1,8}/g, " ").trim();
}
