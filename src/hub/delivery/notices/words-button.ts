/** The button that gives a choice together with words that somebody wrote: "No", because "push to a branch instead". */

const PREFIX = "words:";

export interface ChoiceWithWords {
  readonly value: string;
  readonly text: string;
}

export function encodeWords({ value, text }: ChoiceWithWords): string {
  return `${PREFIX}${value}:${text}`;
}

export function parseWords(encoded: string): ChoiceWithWords | null {
  const [, value, text] = /^words:([0-9]+):([^]+)$/.exec(encoded) ?? [];
  return value === undefined || text === undefined ? null : { value, text };
}
