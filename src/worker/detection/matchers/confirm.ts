/** A dialog that only wants Enter, put on a view: a review page, a note to be read. The candidate it makes, or why there is none. */
import type { Candidate } from "../../../sdk/candidate.js";
import type { CompiledRule } from "../../adapter-format/compiled/compiled.js";
import { brokenCondition, contentOf, dialogAround, drawnContent, questionOf } from "../layout/dialog.js";
import { isBlank, lastDrawn, textAt, type Page } from "../layout/layout.js";
import { makeCandidate } from "./make-candidate.js";
import { isNoMatch, type NoMatch } from "../layout/no-match.js";
import { matches } from "../../adapter-format/pattern.js";

/** Its footer, which says that Enter goes on, is the last thing on the screen, and the cursor is hidden: nothing else takes input. */
export function confirmCandidate(rule: CompiledRule, page: Page): Candidate | NoMatch {
  const last = textEnd(page, rule);
  if (last === null || page.cursor.visible) return { missed: "footer" };
  const dialog = dialogAround(page, rule, last, last);
  if (isNoMatch(dialog)) return dialog;
  const broken = brokenCondition(page, rule, dialog);
  if (broken) return broken;
  const question = questionOf(page, rule, dialog, { top: last + 1, bottom: last });
  if (!question) return { missed: "question", ...(rule.question !== null && { pattern: rule.question }) };
  const content = contentOf(page, rule, dialog, last);
  const drawn = drawnContent(page, rule, dialog, last);
  const asked = { question: question.text, choices: [], highlighted: null, constraints: {}, content, drawn };
  return makeCandidate(rule, page, { ...asked, top: dialog.top, bottom: dialog.bottom });
}

/** The last row above the lowest footer; null when there is no footer. */
function textEnd(page: Page, { footer }: CompiledRule): number | null {
  for (let row = lastDrawn(page); row > 0; row--) {
    if (!footer.some((pattern) => matches(pattern, textAt(page, row).trim()))) continue;
    while (row > 0 && isBlank(textAt(page, row - 1))) row--;
    return row > 0 ? row - 1 : null;
  }
  return null;
}
