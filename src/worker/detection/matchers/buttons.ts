/** Matches rules for choices side by side: buttons of a box, or a toggle behind its question. */
import type { ChoiceIntent, PromptType } from "../../../model/prompt.js";
import type { Candidate, CandidateChoice } from "../../../sdk/candidate.js";
import type { CompiledChoice, CompiledRule } from "../../adapter-format/compiled/compiled.js";
import {
  findBrokenCondition,
  readContent,
  findDialog,
  drawnContent,
  findQuestion,
  type Dialog,
} from "../layout/dialog.js";
import { drawnRows, drawnText } from "../layout/drawn-rows.js";
import { findHeader, type Header } from "../layout/header.js";
import { lastDrawn, textAt, type Page } from "../layout/layout.js";
import { makeCandidate } from "./make-candidate.js";
import { isNoMatch, type NoMatch } from "../layout/no-match.js";
import { findChoiceRule } from "../../adapter-format/compiled/choice-rule.js";
import {
  readButtons,
  readButtonsByBackground,
  readSlashed,
  type SideBySide,
} from "../shapes/side-by-side.js";

export function buttonsCandidate(rule: CompiledRule, page: Page): Candidate | NoMatch {
  if (rule.buttons !== "slash") {
    const labels = rule.choices.map(({ label }) => label);
    const found = rule.buttons === "ground" ? readButtonsByBackground(page, labels) : readButtons(page);
    return found
      ? makeButtonsCandidate(rule, page, found, findDialog(page, rule, found.row, found.row))
      : { missed: "list" };
  }
  const toggle = readToggle(rule, page);
  if (!toggle) return { missed: "list" };
  const { found, header } = toggle;
  const dialog = { header, top: header.row, above: [], bottom: lastDrawn(page) };
  return makeButtonsCandidate(rule, page, found, dialog);
}

function makeButtonsCandidate(
  rule: CompiledRule,
  page: Page,
  found: SideBySide,
  dialog: Dialog | NoMatch,
): Candidate | NoMatch {
  if (isNoMatch(dialog)) return dialog;
  const broken = findBrokenCondition(page, rule, dialog);
  if (broken) return broken;
  const question = findQuestion(page, rule, dialog, { top: found.row, bottom: found.row });
  if (!question) return { missed: "question" };
  const content = readContent(page, rule, dialog, Math.max(dialog.top, found.row - 1));
  const { promptType, items, highlighted } = classifyButtons(rule, found);
  const choices = items.map((item) => makeChoice(page, found.row, item));
  const constraints = promptType === "multiple_choice" ? { minChoice: 1, maxChoice: choices.length } : {};
  const drawn = drawnContent(page, rule, dialog, Math.max(dialog.top, found.row - 1));
  const listed = drawnText(drawnRows(page, found.row, found.row));
  const parts = { question: question.text, highlighted, constraints, content, drawn, listed };
  const made = makeCandidate(rule, page, { ...parts, choices, top: dialog.top, bottom: dialog.bottom });
  return { ...made, promptType };
}

interface Toggle {
  readonly found: SideBySide;
  readonly header: Header;
}

/** The toggle is behind the question or on the row right below it, and the cursor is hidden. */
function readToggle(rule: CompiledRule, page: Page): Toggle | null {
  if (page.cursor.visible) return null;
  const bottom = lastDrawn(page);
  for (let row = bottom; row > bottom - TOGGLE_ROWS_MAX; row--) {
    const below = readSlashed(page, row, 0);
    const above = below && findHeader(page, rule, row - 1);
    if (below && above?.last === row - 1 && above.rest === "") return { found: below, header: above };
  }
  const header = findHeader(page, rule, bottom);
  const found = header && readSlashed(page, header.last, behindQuestion(page, header));
  return header && found ? { found, header } : null;
}

/** The row of choices, and rows of key help. */
const TOGGLE_ROWS_MAX = 3;

function behindQuestion(page: Page, { last, rest }: Header): number {
  const mark = /^[›‣…] /u.exec(rest)?.[0].length ?? 0;
  return Math.max(0, textAt(page, last).lastIndexOf(rest)) + mark;
}

interface Meaning {
  readonly promptType: PromptType;
  readonly items: readonly Item[];
  readonly highlighted: number | null;
}

type Item = SideBySide["items"][number] & {
  readonly intent: ChoiceIntent;
  readonly known?: CompiledChoice | undefined;
};

/** Yes and No in either order are a yes/no prompt; a single button only waits for Enter. */
function classifyButtons(rule: CompiledRule, { items, highlighted }: SideBySide): Meaning {
  const at = (word: RegExp): number => items.findIndex(({ label }) => word.test(label));
  const [yes, no] = [at(/^yes$/iu), at(/^no$/iu)];
  const [first, second] = [items[yes], items[no]];
  if (items.length === 2 && first && second) {
    const both: readonly Item[] = [
      { ...first, label: "Yes", intent: "allow_once" },
      { ...second, label: "No", intent: "reject_once" },
    ];
    return { promptType: "yes_no", items: both, highlighted: highlighted === yes ? 1 : 2 };
  }
  if (items.length === 1) return { promptType: "confirm_enter", items: [], highlighted: null };
  const all = items.map((item): Item => {
    const known = findChoiceRule(rule, item.label);
    return { ...item, intent: known?.intent ?? "other", known };
  });
  return { promptType: "multiple_choice", items: all, highlighted: highlighted + 1 };
}

function makeChoice(page: Page, row: number, { label, intent, column, known }: Item): CandidateChoice {
  const { first: firstRow, last: lastRow } = page.rows[row] ?? { first: 0, last: 0 };
  const words = known?.textTo && ({ takesText: "optional", textTo: known.textTo } as const);
  return { label, intent, ...words, answer: { by: "arrows" }, firstRow, lastRow, column };
}
