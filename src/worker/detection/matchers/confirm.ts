/** Matches rules for dialogs that only want Enter: a review page, a notice. */
import type { Candidate } from "../../../sdk/candidate.js";
import type { CompiledRule } from "../../adapter-format/compiled/compiled.js";
import { findDialog, readDialogParts, readQuestion } from "../layout/dialog.js";
import { isBlank, findLastDrawn, readTextAt, type Page } from "../layout/layout.js";
import { makeCandidate } from "./make-candidate.js";
import { isNoMatch, type NoMatch } from "../layout/no-match.js";
import { matches } from "../../adapter-format/pattern.js";

/** The footer must be the last text on the screen and the cursor hidden, so that nothing else takes the input. */
export function matchConfirm(rule: CompiledRule, page: Page): Candidate | NoMatch {
  const last = findTextEnd(page, rule);
  if (last === null || page.cursor.visible) return { missed: "footer" };
  const read = readQuestion(page, rule, findDialog(page, rule, last, last), { top: last + 1, bottom: last });
  if (isNoMatch(read)) return read;
  const parts = readDialogParts(page, rule, read.dialog, last);
  return makeCandidate(rule, page, { question: read.question.text, ...parts });
}

function findTextEnd(page: Page, { footer }: CompiledRule): number | null {
  for (let row = findLastDrawn(page); row > 0; row--) {
    if (!footer.some((pattern) => matches(pattern, readTextAt(page, row).trim()))) continue;
    while (row > 0 && isBlank(readTextAt(page, row - 1))) row--;
    return row > 0 ? row - 1 : null;
  }
  return null;
}
