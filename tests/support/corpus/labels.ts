/** Labels that many situations share. */
import type { Label, LabelledReply } from "./situation.js";

/** Nothing is asked, all the way. */
export function silent(state?: Label["state"]): Label {
  return { type: null, count: 0, ...(state && { state }) };
}

/** It was asked so many times, and the last answer was given at the keyboard. */
export function answered(count = 1): Label {
  return { type: null, count, state: "idle" };
}

const NO_CHOICES: readonly LabelledReply[] = [
  { value: "y", keys: [] },
  { value: "", keys: [] },
];

/** Each of so many rows is taken with its digit alone; nothing else is taken. */
export function digits(count: number): readonly LabelledReply[] {
  const rows = Array.from({ length: count }, (_, i) => ({ value: String(i + 1), keys: [String(i + 1)] }));
  return [...rows, { value: String(count + 1), keys: [] }, ...NO_CHOICES];
}

/** Each row is taken with arrows from the first one, and Enter. */
export function arrows(count: number, key = "\u001b[B"): readonly LabelledReply[] {
  const rows = Array.from({ length: count }, (_, i) => ({
    value: String(i + 1),
    keys: [...Array<string>(i).fill(key), "\r"],
  }));
  return [...rows, { value: String(count + 1), keys: [] }, ...NO_CHOICES];
}
