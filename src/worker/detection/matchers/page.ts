/** Matches whole-screen dialogs known by their top line: a menu that the user opened, or a page whose rows are no choices. */
import type { Candidate } from "../../../sdk/candidate.js";
import type { CompiledRule } from "../../adapter-format/compiled/compiled.js";
import { findBrokenCondition, readDialogParts, type Dialog } from "../layout/dialog.js";
import { findHeader } from "../layout/header.js";
import { findLastDrawn, readTextAt, type Page } from "../layout/layout.js";
import { makeCandidate } from "./make-candidate.js";
import { isNoMatch, type NoMatch } from "../layout/no-match.js";
import { matches } from "../../adapter-format/pattern.js";

export function matchPage(rule: CompiledRule, page: Page): Candidate | NoMatch {
  const dialog = findDialog(rule, page);
  if (isNoMatch(dialog)) return dialog;
  const broken = findBrokenCondition(page, rule, dialog);
  if (broken) return broken;
  const question = dialog.header?.question ?? readFirstText(page, dialog);
  const constraints = rule.readsInside ? { localOnly: true } : {};
  return makeCandidate(rule, page, {
    question,
    constraints,
    ...readDialogParts(page, rule, dialog, dialog.bottom),
  });
}

/** The dialog reaches from the lowest top line or header to the last drawn row; a window counts as a whole. */
function findDialog(rule: CompiledRule, page: Page): Dialog | NoMatch {
  const known = { bottom: findLastDrawn(page), above: [], header: null };
  if (rule.header !== null) {
    const header = findHeader(page, rule, page.cursor.row);
    return header ? { ...known, top: header.row, header } : { missed: "header" };
  }
  if (rule.top === null && page.inside) return { ...known, top: page.inside.top };
  for (let row = known.bottom; row >= 0; row--) {
    if (rule.top !== null && matches(rule.top, readTextAt(page, row))) return { ...known, top: row + 1 };
  }
  return { missed: "top", ...(rule.top !== null && { pattern: rule.top }) };
}

function readFirstText(page: Page, { top, bottom }: Dialog): string {
  const texts = page.rows.slice(top, bottom + 1).map(({ text }) => text.trim());
  return texts.find((text) => text !== "") ?? "";
}
