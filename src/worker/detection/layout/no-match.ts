/** Why a rule did not match a view: the first of its conditions that did not hold. Shown to people who write adapters. */

export const CONDITIONS = [
  /** There is no live list, or no line waits for input. */
  "list",
  "line",
  /** There is no text field, or the cursor is not in it. */
  "field",
  "frame",
  /** A check list where a list is wanted, or the other way round. */
  "shape",
  "header",
  /** The terminal takes lines where keys are wanted, or the other way round. */
  "tty",
  "top",
  "footer",
  "requires",
  "forbids",
  "question",
  /** The line waits for input, but its text fits no spelling of the shape. */
  "spelling",
] as const;
export type MatchCondition = (typeof CONDITIONS)[number];

export interface NoMatch {
  readonly missed: MatchCondition;
  /** Row of the page that breaks the condition; absent where no row does. */
  readonly row?: number;
  /** The pattern that no row matched or, for `forbids`, that a row did match. */
  readonly pattern?: string;
}

export function isNoMatch(found: object): found is NoMatch {
  return "missed" in found;
}
