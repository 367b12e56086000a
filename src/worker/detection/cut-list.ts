/** A list whose last row stands on the last row of the screen may go on below it: an agent may draw more rows than the terminal has. */
import type { Candidate } from "../../sdk/candidate.js";
import type { View } from "../../sdk/view.js";
import { computeFingerprint } from "./layout/fingerprint.js";
import { isSeparator } from "./layout/layout.js";

const LISTS: readonly string[] = ["list", "check_list", "radio_list"];

/** The same candidate, or one that says that rows of it may be missing. An answer that refuses stands last: nothing is missing below it. */
export function markAsCut(candidate: Candidate, { lines }: Pick<View, "lines">): Candidate {
  const { choices, shape, content, torn = computeFingerprint({ ...candidate, choices: [] }) } = candidate;
  const last = choices.at(-1);
  if (!LISTS.includes(shape) || last === undefined || last.intent === "reject_once") return candidate;
  if (!lines.slice(last.lastRow + 1).every(({ text }) => isSeparator(text))) return candidate;
  return { ...candidate, content: { ...content, cut: content.cut ?? {} }, torn };
}
