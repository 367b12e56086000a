/** A list whose last row is on the last row of the screen may continue below it: an agent may draw more rows than the terminal has. */
import type { Candidate } from "../../sdk/candidate.js";
import type { View } from "../../sdk/view.js";
import { computeFingerprint } from "./layout/fingerprint.js";
import { isSeparator } from "./layout/layout.js";

const LISTS: readonly string[] = ["list", "check_list", "radio_list"];

/**
 * Marks the candidate as cut if rows of it may be missing. A refusing answer always comes last, so nothing is missing below it.
 */
export function markAsCut(candidate: Candidate, { lines }: Pick<View, "lines">): Candidate {
  const { choices, shape, content, torn = computeFingerprint({ ...candidate, choices: [] }) } = candidate;
  const last = choices.at(-1);
  if (!LISTS.includes(shape) || last === undefined || last.intent === "reject_once") return candidate;
  if (!lines.slice(last.lastRow + 1).every(({ text }) => isSeparator(text))) return candidate;
  return { ...candidate, content: { ...content, cut: content.cut ?? {} }, torn };
}
