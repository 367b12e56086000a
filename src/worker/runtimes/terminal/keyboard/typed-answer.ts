/** The choice that a person took at a dialog, by all keys that they typed there. Pure. */
import type { Candidate } from "../../../../sdk/candidate.js";

const ENTER = "\r";

/**
 * Its label as drawn; null where the keys do not prove it. Arrows prove nothing: whether the tool had moved its highlight before Enter is
 * not known.
 */
export function findTypedAnswer(
  { choices, highlighted, constraints }: Candidate,
  keys: readonly string[],
): string | null {
  if (constraints.multi) return null;
  const typed = keys.join("");
  const taken = choices.find(({ answer }, at) => {
    if (typed === ENTER) return at + 1 === highlighted;
    if (answer.by === "arrows") return false;
    if (answer.by === "key") return typed === answer.key;
    return typed === answer.text + ENTER || (answer.by === "typed" && typed === answer.text);
  });
  return taken === undefined || taken.takesText !== undefined ? null : taken.label;
}
