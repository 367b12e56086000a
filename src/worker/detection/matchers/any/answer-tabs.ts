/** The page of answers before they are submitted: `Database   Region   Confirm`, and below these tabs `Database: SQLite`. */
import type { ViewLine } from "../../../../sdk/view.js";
import { nameGround } from "../../layout/text-style.js";
import { withoutSides } from "../../shapes/offered-keys.js";

const GAP = /\s{2,}/u;

/**
 * The index of the row of tabs; -1: none. One tab has a background of its own, and the answers under the others are listed below,
 * so no tab is a button that Enter would press.
 */
export function findAnswerTabs(lines: readonly ViewLine[]): number {
  const texts = lines.map(({ text }) => withoutSides(text));
  return lines.findIndex((line, at) => {
    const labels = (texts[at] ?? "").split(GAP);
    const isAnswered = (label: string): boolean =>
      texts.some((text, below) => below > at && text.startsWith(`${label}: `));
    const [open, ...others] = labels.filter((label) => !isAnswered(label));
    return labels.length >= 2 && open !== undefined && others.length === 0 && isSetOff(line, open);
  });
}

function isSetOff(line: ViewLine, label: string): boolean {
  const drawn = line.runs().filter(({ text }) => withoutSides(text) !== "");
  const grounds = new Map<string, string[]>();
  for (const { style, text } of drawn) {
    const ground = nameGround(style);
    grounds.set(ground, [...(grounds.get(ground) ?? []), text.trim()]);
  }
  return grounds.size === 2 && [...grounds.values()].some((texts) => texts.join(" ") === label);
}
