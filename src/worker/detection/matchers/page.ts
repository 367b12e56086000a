/** A whole-screen dialog known by its top line alone: a menu that the user opened, or a page whose rows are no choices. */
import type { Candidate } from "../../../sdk/candidate.js";
import type { CompiledRule } from "../../adapter-format/compiled/compiled.js";
import { brokenCondition, contentOf, drawnContent, type Dialog } from "../layout/dialog.js";
import { headerAt } from "../layout/header.js";
import { isBlank, lastDrawn, textAt, type Page } from "../layout/layout.js";
import { makeCandidate } from "./make-candidate.js";
import { isNoMatch, type NoMatch } from "../layout/no-match.js";
import { matches } from "../../adapter-format/pattern.js";

export function pageCandidate(rule: CompiledRule, page: Page): Candidate | NoMatch {
  const dialog = dialogOf(rule, page);
  if (isNoMatch(dialog)) return dialog;
  const broken = brokenCondition(page, rule, dialog);
  if (broken) return broken;
  const content = contentOf(page, rule, dialog, dialog.bottom);
  const question = dialog.header?.question ?? firstText(page, dialog);
  const drawn = drawnContent(page, rule, dialog, dialog.bottom);
  const constraints = rule.readsInside ? { localOnly: true } : {};
  const asked = { question, choices: [], highlighted: null, constraints, content, drawn };
  return makeCandidate(rule, page, { ...asked, top: dialog.top, bottom: dialog.bottom });
}

/** From the lowest row that is a top line or begins a question to the last drawn one; a window is all of it. */
function dialogOf(rule: CompiledRule, page: Page): Dialog | NoMatch {
  const known = { bottom: lastDrawn(page), above: [], header: null };
  if (rule.header !== null) {
    const header = headerAt(page, rule, page.cursor.row);
    return header ? { ...known, top: header.row, header } : { missed: "header" };
  }
  if (rule.top === null && page.inside) return { ...known, top: page.inside.top };
  for (let row = known.bottom; row >= 0; row--) {
    if (rule.top !== null && matches(rule.top, textAt(page, row))) return { ...known, top: row + 1 };
  }
  return { missed: "top", ...(rule.top !== null && { pattern: rule.top }) };
}

function firstText(page: Page, { top, bottom }: Dialog): string {
  for (let row = top; row <= bottom; row++) if (!isBlank(textAt(page, row))) return textAt(page, row).trim();
  return "";
}
