/**
 * The last resort for an agent's dialogs: a list that no rule of its adapter file describes. It is recognized by its layout alone
 * (rows in one column, exactly one of them marked), whatever words surround it. The score is the lowest, so that no policy
 * answers such a list. It is answered by arrows, each of which is checked on the screen; a list with ticks by the keys that the
 * screen names, or else at the terminal.
 */
import type { Candidate } from "../../../sdk/candidate.js";
import { hasScrollBar } from "../layout/borders.js";
import { readInsideFrame } from "../layout/frame.js";
import { measureWidth } from "../../screen/widths.js";
import { measureIndent, isBlank, findLastDrawn, readTextAt, type Page } from "../layout/layout.js";
import { isButtonRow } from "../layout/headline.js";
import { isNoMatch } from "../layout/no-match.js";
import { CURSORS, hasAnswer, isAsked, isLowest, isPlan, namesKeysBelow } from "../shapes/asked-list.js";
import { readLeftOfBox } from "../shapes/side-box.js";
import { findMarkedRows, type Mark } from "../shapes/list-mark.js";
import { readListAt, type FoundList } from "../shapes/list.js";
import { areExplanations, findExplainedList, findLitList } from "./any/coloured-list.js";
import { findHighlightedCheckList, hasTicks, makeTickedRule } from "./any-check-list.js";
import { ANY_LIST_RULE, BUTTONS, LIST } from "./any-list-rule.js";
import { matchList } from "./list.js";

const FRAMES = ["box", "gutter", "bar"] as const;

/** Null if no such list takes the tool's input. More content may exist than is drawn, so its content never counts as whole. */
export function matchAnyList(whole: Page): Candidate | null {
  return readFramed(whole, (page) => {
    const list = findChosenList(page) ?? findAnyList(page) ?? findColouredList(page);
    const rule = list && (hasTicks(list) ? makeTickedRule(page, list) : ANY_LIST_RULE);
    if (list === null || rule === null) return null;
    const found = matchList(rule, cutBelow(page, list.bottom), () => list);
    if (isNoMatch(found)) return null;
    // Which keys answer it is unknown, so only a person who sees the screen can.
    const isLocal = hasTicks(list) && (found.checkList === undefined || found.highlighted === null);
    const constraints = isLocal ? { ...found.constraints, localOnly: true } : found.constraints;
    return { ...found, constraints, content: { ...found.content, cut: found.content.cut ?? {} } };
  });
}

/** What `match` finds on the page as drawn, else without the frame around it. */
export function readFramed(whole: Page, match: (page: Page) => Candidate | null): Candidate | null {
  for (const page of listPages(whole)) {
    const found = match(page);
    if (found !== null) return found;
  }
  return null;
}

/** The page as drawn, then without the frame around it. A scroll bar, which comes and goes, is left out of both. */
function listPages(whole: Page): readonly Page[] {
  const page = hasScrollBar(whole) ? (readInsideFrame(whole, "edge") ?? whole) : whole;
  return [page, ...FRAMES.flatMap((kind) => readInsideFrame(page, kind) ?? [])];
}

/** `❯ ✔ Dark` beside `    Light`: what counts now has a tick behind the place of the mark, and the other rows have a blank there. */
const CHOSEN = /^(\s*[❯›]? +)[✓✔](?= \p{Lu})/u;

/** Read without that tick, so that its row begins where the others do. Several of them, or one without a cursor's own sign, are steps that are done. */
function findChosenList(page: Page): FoundList | null {
  const chosen = page.rows.flatMap(({ text }, row) => (CHOSEN.test(text) ? [row] : []));
  if (chosen.length !== 1) return null;
  const rows = page.rows.map((row, at) =>
    at === chosen[0] ? { ...row, text: row.text.replace(CHOSEN, "$1 ") } : row,
  );
  return findAnyList({ ...page, rows }, CURSORS, NAME_SHARE);
}

/** The lowest list: text above a dialog may look like one. */
function findAnyList(page: Page, glyphs = LIST.glyphs, share = SHORT_SHARE): FoundList | null {
  for (const mark of findMarkedRows(page, { ...LIST, glyphs }).reverse()) {
    const list = readList(page, mark);
    if (
      list &&
      isOneMarked(page, list, mark) &&
      areRows(page, list, mark, share) &&
      isAsked(page, list, mark) &&
      takesInput(page, list, mark)
    )
      return list;
  }
  return null;
}

function findColouredList(page: Page): FoundList | null {
  for (const find of [findHighlightedCheckList, findExplainedList, findLitList]) {
    const found = find(page);
    if (found && takesInput(page, found.list, found.mark)) return found.list;
  }
  return null;
}

function takesInput(page: Page, list: FoundList, mark: Mark): boolean {
  if (!isWhole(list) || isForm(page, list) || isPlan(page, list, mark)) return false;
  return isLowest(page, list.bottom) && hasNoCursorOutside(page, list);
}

/** Below fields buttons stand side by side. Enter on such a row opens a field or does nothing, and takes no choice. */
function isForm(page: Page, { bottom }: FoundList): boolean {
  const next = page.rows.slice(bottom + 1).find(({ text }) => !isBlank(text));
  return next !== undefined && isButtonRow(next.text);
}

/** The gap between a label and its description in the same row. */
const COLUMN_GAP = /\S( {3,})\S/u;

/** Reads each row's description below its label or, where all descriptions begin in one column, beside it. */
function readList(page: Page, mark: Mark): FoundList | null {
  const list = readListAt(page, mark, LIST);
  const columns = new Set(
    list?.rows.flatMap(({ first }) => findColumnBeside(readLeftOfBox(page, first)) ?? []),
  );
  const details = columns.size === 1 ? "beside" : LIST.details;
  const buttons = list && hasTicks(list) ? BUTTONS : LIST.buttons;
  const isDefault = details === LIST.details && buttons === LIST.buttons;
  const tight = isDefault ? list : readListAt(page, mark, { ...LIST, details, buttons });
  // On a screen narrower than a row, the next number may be below a blank row, and a label may continue at the edge.
  const loose =
    tight?.rows[0]?.number === 1 ? readListAt(page, mark, { ...LIST, details, buttons, loose: true }) : null;
  const found = loose && loose.rows.length > (tight?.rows.length ?? 0) ? loose : tight;
  return found && { ...found, editing: found.editing && !isLeftBehind(page, mark) };
}

function findColumnBeside(text: string): number | null {
  const gap = COLUMN_GAP.exec(text);
  return gap && gap.index + 1 + (gap[1]?.length ?? 0);
}

/** A sign before every label: whatever it says, it may be a tick. */
const SIGN = /^[^\p{L}\p{N}"'`$/~.(<[-] /u;

/** The side of a box that something else is drawn into, so that it could not be taken off. */
const SIDE = /[│┃]$/u;

/** Whether the list is drawn from its first row: hidden rows above would be unknown. */
function isWhole({ rows, hidesAbove }: FoundList): boolean {
  return !hidesAbove || rows[0]?.number === 1;
}

/** Bullets mark every row. */
function isOneMarked(page: Page, list: FoundList, mark: Mark): boolean {
  const { rows, editing } = list;
  if (editing || rows.some(({ label }) => SIGN.test(label))) return false;
  if (rows.some(({ label, detail }) => SIDE.test(label) || SIDE.test(detail ?? ""))) return false;
  const marked = rows.filter(({ first }) =>
    LIST.glyphs.includes(readLeftOfBox(page, first)[mark.column] ?? ""),
  );
  return marked.length === 1;
}

const BLANKS_BEHIND_MAX = 4;

/** A hidden cursor in the last row that is drawn, or far behind the text of its row, stands where drawing ended, and in no text field. */
function isLeftBehind(page: Page, { row }: Mark): boolean {
  const { cursor } = page;
  if (cursor.visible) return false;
  const blanks = cursor.column - measureWidth(readLeftOfBox(page, row));
  return cursor.row === findLastDrawn(page) || blanks > BLANKS_BEHIND_MAX;
}

/** No row of a paragraph is shorter, however narrow the screen is. */
const SHORT_COLUMNS = 30;
/**
 * Shares of the screen's columns: a text that takes less than half of them is short. Beside a row with a tick for the current
 * value, rows are names, and shorter than wrapped text.
 */
const SHORT_SHARE = 0.5;
const NAME_SHARE = 0.66;

/** Signs that also begin paragraphs and quotes. */
const BULLETS = new Set("●◆*>»");

/**
 * Numbers, or signs on the other rows, show where each row begins. Without them only the column separates rows, and a paragraph
 * begins in one column too. An explanation of a row is long, or a blank row follows it before the next row.
 */
function areRows(page: Page, list: FoundList, mark: Mark, share: number): boolean {
  const { rows, bottom } = list;
  if (rows.every(({ number }) => number !== null) || hasTicks(list)) return true;
  const signs = rows.map(({ first }) => readLeftOfBox(page, first)[mark.column] ?? "");
  if (signs.some((sign) => LIST.unmarked.includes(sign))) return true;
  if (areExplanations(page, list, mark.text)) return false;
  const isLong = (text: string): boolean => measureWidth(text) > Math.max(page.cols * share, SHORT_COLUMNS);
  const isAnswer = hasAnswer(rows) && namesKeysBelow(page, bottom);
  if (!isAnswer && rows.some(({ first }) => isLong(readLeftOfBox(page, first)))) return false;
  const next = isBlank(readTextAt(page, bottom + 1)) ? readLeftOfBox(page, bottom + 2) : "";
  const isText = BULLETS.has(signs.join("").trim()) && !isBelowQuestion(page, list);
  return !isText && (isBlank(next) || measureIndent(next) !== mark.text);
}

const BLANKS_ABOVE_MAX = 1;

/** Right below a question, short rows that all begin as names do; the rows of a quotation begin in the middle of a sentence. */
function isBelowQuestion(page: Page, { rows, top }: FoundList): boolean {
  const above = isBlank(readTextAt(page, top - BLANKS_ABOVE_MAX)) ? top - BLANKS_ABOVE_MAX - 1 : top - 1;
  return (
    /[?？]$/u.test(readTextAt(page, above).trimEnd()) &&
    rows.every(({ label }) => /^[\p{Lu}\p{N}]/u.test(label))
  );
}

/** A cursor that is shown stands where somebody types: elsewhere than in the list it is an input box. */
function hasNoCursorOutside({ cursor }: Page, { top, bottom }: FoundList): boolean {
  return !cursor.visible || (cursor.row >= top && cursor.row <= bottom);
}

function cutBelow(page: Page, bottom: number): Page {
  const rows = page.rows.map((row, at) => (at > bottom ? { ...row, text: "" } : row));
  return { ...page, rows };
}
