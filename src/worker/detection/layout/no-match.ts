/** Why a rule found nothing in a view: the first of its conditions that did not hold. For the people who write adapters. */

export const CONDITIONS = [
  /** Nothing takes input there in the way of a list, or no line waits. */
  "list",
  "line",
  /** No text field is there, or the cursor is not in it. */
  "field",
  /** Nothing is drawn in such a frame. */
  "frame",
  /** A check list where a list is wanted, or the other way round. */
  "shape",
  /** No row begins a question. */
  "header",
  /** The terminal takes lines where keys are wanted, or the other way round. */
  "tty",
  "top",
  "footer",
  "requires",
  "forbids",
  "question",
  /** The line waits and is spelled in no way that the shape knows. */
  "spelling",
] as const;
export type MatchCondition = (typeof CONDITIONS)[number];

export interface NoMatch {
  readonly missed: MatchCondition;
  /** Row of the page that speaks against it; absent where nothing was found anywhere. */
  readonly row?: number;
  /** The pattern that nothing matched, or, of `forbids`, that something did. */
  readonly pattern?: string;
}

export function isNoMatch(found: object): found is NoMatch {
  return "missed" in found;
}
