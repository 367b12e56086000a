/** A whole-screen dialog known by its top line alone: a menu that the user opened, or a page whose rows are no choices. */
import type { Candidate } from "../../sdk/candidate.js";
import type { CompiledRule } from "./compiled.js";
import { brokenCondition, contentOf, type Dialog } from "./dialog.js";
import { fingerprintOf } from "./fingerprint.js";
import { isBlank, lastDrawn, textAt, type Page } from "./layout.js";
import type { Miss } from "./miss.js";
import { matches } from "./pattern.js";

export function pageCandidate(rule: CompiledRule, page: Page): Candidate | Miss {
  const dialog = dialogBelowTop(rule, page);
  if (!dialog) return { missed: "top", ...(rule.top !== null && { pattern: rule.top }) };
  const broken = brokenCondition(page, rule, dialog);
  if (broken) return broken;
  const content = contentOf(page, rule, dialog, dialog.bottom);
  const known = { rule: rule.name, question: firstText(page, dialog), choices: [], content };
  return {
    ...known,
    shape: rule.shape,
    promptType: rule.promptType,
    safetyClass: rule.safetyClass,
    score: rule.score,
    highlighted: null,
    constraints: {},
    region: { top: page.rows[dialog.top]?.first ?? 0, bottom: page.rows[dialog.bottom]?.last ?? 0 },
    fingerprint: fingerprintOf(known),
    committingKeys: ["\r", "\u001b"],
    endsTool: [],
  };
}

/** From the lowest row that is a top line to the last drawn one. */
function dialogBelowTop(rule: CompiledRule, page: Page): Dialog | null {
  const bottom = lastDrawn(page);
  for (let row = bottom; row >= 0; row--) {
    if (rule.top !== null && matches(rule.top, textAt(page, row))) return { top: row + 1, above: [], bottom };
  }
  return null;
}

function firstText(page: Page, { top, bottom }: Dialog): string {
  for (let row = top; row <= bottom; row++) if (!isBlank(textAt(page, row))) return textAt(page, row).trim();
  return "";
}
