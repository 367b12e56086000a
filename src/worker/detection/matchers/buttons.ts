/** Matches rules for choices side by side: buttons of a box, or a toggle behind its question. */
import type { ChoiceIntent, PromptType } from "../../../model/prompt.js";
import type { Candidate, CandidateChoice } from "../../../sdk/candidate.js";
import type { CompiledChoice, CompiledRule } from "../../adapter-format/compiled/compiled.js";
import { findDialog, readDialogParts, readQuestion, type Dialog } from "../layout/dialog.js";
import { readDrawnRows, joinDrawn } from "../layout/drawn-rows.js";
import { findHeader, type Header } from "../layout/header.js";
import { findLastDrawn, findScreenRows, readTextAt, type Page } from "../layout/layout.js";
import { makeCandidate } from "./make-candidate.js";
import { isNoMatch, type NoMatch } from "../layout/no-match.js";
import { ANY_BUTTONS_RULE } from "./any-list-rule.js";
import type { ButtonKind } from "../../adapter-format/adapter-file.js";
import { findChoiceRule } from "../../adapter-format/compiled/choice-rule.js";
import {
  readButtons,
  readButtonsByBackground,
  readLettered,
  readSlashed,
  type SideBySide,
} from "../shapes/side-by-side.js";

type ButtonReader = (page: Page, labels: readonly string[]) => SideBySide | null;

const READERS: Readonly<Record<Exclude<ButtonKind, "slash">, ButtonReader>> = {
  angle: readButtons,
  ground: readButtonsByBackground,
  letters: readLettered,
};

export function matchButtons(rule: CompiledRule, page: Page): Candidate | NoMatch {
  if (rule.buttons !== "slash") {
    const labels = rule.choices.map(({ label }) => label);
    const found = READERS[rule.buttons ?? "angle"](page, labels);
    return found ? makeButtonsCandidate(rule, page, found) : { missed: "list" };
  }
  const toggle = readToggle(rule, page);
  if (!toggle) return { missed: "list" };
  const { found, header } = toggle;
  const dialog = { header, top: header.row, above: [], bottom: findLastDrawn(page) };
  return makeButtonsCandidate(rule, page, found, dialog);
}

function makeButtonsCandidate(
  rule: CompiledRule,
  page: Page,
  found: SideBySide,
  around: Dialog | NoMatch = findDialog(page, rule, found.row, found.row),
): Candidate | NoMatch {
  const read = readQuestion(page, rule, around, { top: found.row, bottom: found.row });
  if (isNoMatch(read)) return read;
  const { dialog, question } = read;
  const { promptType, items, highlighted } = classifyButtons(rule, found);
  const choices = items.map((item) => makeChoice(page, found.row, item));
  const constraints = promptType === "multiple_choice" ? { minChoice: 1, maxChoice: choices.length } : {};
  const parts = readDialogParts(page, rule, dialog, Math.max(dialog.top, found.row - 1));
  const listed = joinDrawn(readDrawnRows(page, found.row, found.row));
  const chosen = { question: question.text, choices, highlighted, constraints };
  const made = makeCandidate(rule, page, { ...parts, ...chosen, listed });
  return { ...made, promptType };
}

/** A label begins with a capital letter. Key help in the same row does not, so the buttons end there. */
const LABEL = "^\\p{Lu}[\\p{L} ']{1,30}$";

/**
 * Reads a row of buttons that no rule describes, one of them on its own background. Tabs and filters look the same, so one button must
 * say yes and another no. Its content never counts as whole, as with lists that no rule describes.
 */
export function matchAnyButtons(page: Page): Candidate | null {
  const found = readButtonsByBackground(page, [LABEL]);
  if (found === null) return null;
  const above = { ...page, rows: page.rows.slice(0, found.row + 1) };
  const made = makeButtonsCandidate(ANY_BUTTONS_RULE, above, found);
  if (isNoMatch(made)) return null;
  const intents = made.choices.map(({ intent }) => intent);
  const decides = intents.includes("reject_once") && intents.some((intent) => intent.startsWith("allow"));
  return decides ? { ...made, content: { ...made.content, cut: made.content.cut ?? {} } } : null;
}

interface Toggle {
  readonly found: SideBySide;
  readonly header: Header;
}

/** The toggle is behind the question or on the row right below it, and the cursor is hidden. */
function readToggle(rule: CompiledRule, page: Page): Toggle | null {
  if (page.cursor.visible) return null;
  const bottom = findLastDrawn(page);
  for (let row = bottom; row > bottom - TOGGLE_ROWS_MAX; row--) {
    const below = readSlashed(page, row, 0);
    const above = below && findHeader(page, rule, row - 1);
    if (below && above?.last === row - 1 && above.rest === "") return { found: below, header: above };
  }
  const header = findHeader(page, rule, bottom);
  const found = header && readSlashed(page, header.last, findQuestionEnd(page, header));
  return header && found ? { found, header } : null;
}

/** The row of choices, and rows of key help. */
const TOGGLE_ROWS_MAX = 3;

function findQuestionEnd(page: Page, { last, rest }: Header): number {
  const mark = /^[›‣…] /u.exec(rest)?.[0].length ?? 0;
  return Math.max(0, readTextAt(page, last).lastIndexOf(rest)) + mark;
}

interface Meaning {
  readonly promptType: PromptType;
  readonly items: readonly ButtonItem[];
  readonly highlighted: number | null;
}

type ButtonItem = SideBySide["items"][number] & {
  readonly intent: ChoiceIntent;
  readonly known?: CompiledChoice | undefined;
};

/** Yes and No in either order are a yes/no prompt; a single button only waits for Enter. */
function classifyButtons(rule: CompiledRule, { items, highlighted }: SideBySide): Meaning {
  const findItem = (word: RegExp): number => items.findIndex(({ label }) => word.test(label));
  const [yes, no] = [findItem(/^yes$/iu), findItem(/^no$/iu)];
  const [first, second] = [items[yes], items[no]];
  if (items.length === 2 && first && second && highlighted !== null) {
    const both: readonly ButtonItem[] = [
      { ...first, label: "Yes", intent: "allow_once" },
      { ...second, label: "No", intent: "reject_once" },
    ];
    return { promptType: "yes_no", items: both, highlighted: highlighted === yes ? 1 : 2 };
  }
  if (items.length === 1) return { promptType: "confirm_enter", items: [], highlighted: null };
  const all = items.map((item): ButtonItem => {
    const known = findChoiceRule(rule, item.label);
    return { ...item, intent: known?.intent ?? "other", known };
  });
  return {
    promptType: "multiple_choice",
    items: all,
    highlighted: highlighted === null ? null : highlighted + 1,
  };
}

function makeChoice(
  page: Page,
  row: number,
  { label, intent, column, key, known }: ButtonItem,
): CandidateChoice {
  const words = known?.textTo && ({ takesText: "optional", textTo: known.textTo } as const);
  return {
    label,
    intent,
    ...words,
    answer: key === undefined ? { by: "arrows" } : { by: "key", key },
    ...findScreenRows(page, row),
    column,
  };
}
