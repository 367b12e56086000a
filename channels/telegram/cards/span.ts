/** A piece of text with its style. */

export interface TelegramSpan {
  readonly text: string;
  readonly as: "plain" | "bold" | "italic" | "code" | "pre";
}
