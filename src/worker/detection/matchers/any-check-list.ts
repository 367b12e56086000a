/**
 * Lists with ticks that no rule describes. They are answered only where the screen itself says which key ticks a row and which one submits;
 * every tick is then looked at before the next key.
 */
import type { CheckListKeys } from "../../../sdk/candidate.js";
import type { CompiledRule } from "../../adapter-format/compiled/compiled.js";
import { measureIndent, findLastDrawn, readTextAt, type Page } from "../layout/layout.js";
import { matches } from "../../adapter-format/pattern.js";
import { findLitRows, NUMBERED, skipTick, tickAt, type Mark } from "../shapes/list-mark.js";
import { readListAt, type FoundList } from "../shapes/list.js";
import { findOfferedKeys, tells } from "../shapes/offered-keys.js";
import type { MarkedList } from "./any/coloured-list.js";
import { ANY_LIST_RULE, BOXES, BUTTONS, LIST } from "./any-list-rule.js";

/** What a screen says where several rows may be ticked. */
const SEVERAL =
  /\b(?:toggle|all that apply|one or more|multiple|(?:select|choose|pick|tick|check) (?:all|any)|space(?:bar)?:? (?:to )?(?:select|mark|tick|check))\b/iu;

const QUESTION_ROWS = 12;

export function hasTicks({ rows }: FoundList): boolean {
  return rows.some(({ checked }) => checked !== null);
}

/** The rule that reads this list; null: its signs may be something else than ticks, or its rows are not all of one kind. */
export function makeTickedRule(page: Page, list: FoundList): CompiledRule | null {
  const count = list.rows.findLastIndex(({ checked }) => checked !== null) + 1;
  if (list.rows.slice(0, count).some(({ checked }) => checked === null)) return null;
  const isSeveral = saysSeveral(page, list);
  const isRound = list.rows.slice(0, count).some(({ first }) => readTickBox(page, first) === null);
  const isOne = list.rows.filter(({ checked }) => checked).length === 1;
  if (isRound && !isSeveral && !isOne) return null;
  const keys = readKeys(page, list);
  const shape = isRound && !isSeveral ? "radio_list" : "check_list";
  return { ...ANY_LIST_RULE, shape, checkList: keys };
}

function saysSeveral(page: Page, { top }: FoundList): boolean {
  return page.rows.slice(Math.max(0, top - QUESTION_ROWS)).some(({ text }) => SEVERAL.test(text));
}

/** The box that a row begins with, behind its mark and number. */
function readTickBox(page: Page, row: number): string | null {
  const [lead = ""] = /^[^\p{L}\p{N}[(☐☑☒◻◼□■]*(?:\d{1,2}[.)] ?)?/u.exec(readTextAt(page, row)) ?? [];
  return tickAt(readTextAt(page, row), lead.length, BOXES);
}

const TICKS = /\b(?:toggle|select|mark|tick|check)\b/iu;
/** Enter that "selects" may take the row instead. */
const ENTER_TICKS = /\b(?:toggle|mark|tick|check)\b/iu;
const SUBMITS = /^(?:submit|confirm|continue|done|accept|proceed|save|finish|apply|install|next)\b/iu;

/** A button stands right below the list, or below a blank row. */
const BUTTON_ROWS = 2;

/** Null unless the screen names a key that ticks and another one that submits, and no row or button of the list submits it instead. */
function readKeys(page: Page, { rows, top, bottom }: FoundList): CheckListKeys | null {
  const told = findOfferedKeys(page, bottom + 1, findLastDrawn(page));
  const toggle = tells(told, "space", TICKS) ? " " : tells(told, "enter", ENTER_TICKS) ? "\r" : null;
  const submit = tells(told, "enter", SUBMITS) ? "\r" : tells(told, "tab", SUBMITS) ? "\t" : null;
  if (toggle === null || submit === null || toggle === submit) return null;
  const around = page.rows.slice(top, bottom + 1 + BUTTON_ROWS).map(({ text }) => text.trim());
  const hasButton = around.some((text) => BUTTONS.some((button) => matches(button, text)));
  const isElsewhere = hasButton || rows.some(({ checked }) => checked === null);
  return isElsewhere ? null : { toggle, submit: [{ key: submit }] };
}

/** Rows of which a colour alone shows where the highlight is, the lowest such list first. */
export function findHighlightedCheckList(page: Page): MarkedList | null {
  for (let row = findLastDrawn(page); row >= 0; row--) {
    const mark = markAtBox(page, row);
    const list = mark && readListAt(page, mark, { ...LIST, glyphs: [], unmarked: [], buttons: BUTTONS });
    if (!list) continue;
    const highlighted = saysSeveral(page, list) ? findLit(page, list, findLitColumn(page, mark)) : null;
    return highlighted === null ? null : { list: { ...list, highlighted, editing: false }, mark };
  }
  return null;
}

/**
 * The one row that looks otherwise. Null: none does. Behind the last row: nobody knows which, because several do, or that row alone is
 * ticked or alone is not: ticked rows may have a colour of their own.
 */
function findLit(page: Page, { rows }: FoundList, column: number): number | null {
  const firsts = rows.map(({ first }) => first);
  const lit = findLitRows(page, firsts, column);
  const [only] = lit;
  if (only === undefined) return null;
  const at = firsts.indexOf(only);
  const hasEqual = rows.some(({ checked }, index) => index !== at && checked === rows[at]?.checked);
  return lit.length === 1 && hasEqual ? at : rows.length;
}

function markAtBox(page: Page, row: number): Mark | null {
  const column = measureIndent(readTextAt(page, row));
  return readTickBox(page, row) === null ? null : { row, column, text: column };
}

/** The number, or else the label: ticks have colours of their own. */
function findLitColumn(page: Page, { row, text }: Mark): number {
  const drawn = readTextAt(page, row);
  return NUMBERED.test(drawn.slice(text)) ? text : skipTick(drawn, text, BOXES);
}
