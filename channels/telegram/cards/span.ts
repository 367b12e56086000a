/** One piece of a text with its markup. */

export interface TelegramSpan {
  readonly text: string;
  readonly as: "plain" | "bold" | "italic" | "code" | "pre";
}
