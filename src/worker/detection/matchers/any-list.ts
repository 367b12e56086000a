/**
 * The last resort for an agent's dialogs: a list that no rule of its adapter file describes. It is known by its drawing alone (rows in
 * one column, exactly one of them marked), so what stands around it, in whatever words, keeps nobody from being asked. The score is
 * the lowest there is, so that no policy answers such a list, and it is answered by arrows: each is checked on the screen.
 */
import { CONFIDENCE_FLOOR } from "../../../model/prompt.js";
import type { Candidate } from "../../../sdk/candidate.js";
import type { CompiledRule, ListParameters } from "../../adapter-format/compiled/compiled.js";
import { readInsideFrame } from "../layout/frame.js";
import { measureWidth } from "../../screen/widths.js";
import { indentOf, isBlank, lastDrawn, textAt, type Page } from "../layout/layout.js";
import { isNoMatch } from "../layout/no-match.js";
import { textLeftOfBox } from "../shapes/side-box.js";
import { markedRows, type Mark } from "../shapes/list-mark.js";
import { readListAt, type FoundList } from "../shapes/list.js";
import { listCandidate } from "./list.js";

export const ANY_LIST = "any_list";

/** Signs that tools draw before the row that Enter takes. A dash or a plain bullet marks every row of a text. */
const MARKS = ["❯", "›", ">", "→", "➜", "➤", "▶", "▸", "►", "◆", "◉", "●", "»", "☛", "*"];
/** In the place of the mark on the other rows. */
const UNMARKED = ["○", "◯", "◇", "·"];
/** A list at the top of a long screen is text that scrolls away, and no dialog. */
const ROWS_BELOW_MAX = 12;
const FRAMES = ["box", "gutter", "bar"] as const;

const LIST: ListParameters = {
  glyphs: MARKS,
  marks: ["glyph"],
  unmarked: UNMARKED,
  chosen: [],
  chosenBehind: ["✓", "✔"],
  ticks: { ticked: ["[x]", "[X]", "[✓]", "[✔]", "[*]", "☑", "☒", "◼"], unticked: ["[ ]", "☐", "◻"] },
  skip: [],
  ends: [
    "(?i)^(?:[^\\p{L}\\p{N}]{0,3}|press |use )(?:enter|return|esc|escape|tab|space|ctrl|shift|[↑↓←→]|arrows?)\\W.{0,40}\\b(?:to|select|confirm|cancel|navigate|toggle)\\b",
    "(?i)\\b(?:enter|return|esc) to (?:submit|select|confirm|cancel|choose|continue|go back)\\b",
    "^[↑↓▲▼]",
  ],
  edge: null,
  faint: false,
  note: false,
  plain: false,
  wraps: true,
  order: "down",
  rowsMin: 2,
  numbers: "either",
  live: ["cursor"],
  buttons: [],
  extra: [],
  details: "below",
  loose: false,
  more: ["^[↑↓▲▼…]", "(?i)^\\(?[0-9]{1,4} more"],
  last: null,
  fields: "none",
};

const RULE: CompiledRule = {
  name: ANY_LIST,
  shape: "list",
  safetyClass: "permission",
  byLooks: false,
  promptType: "multiple_choice",
  score: CONFIDENCE_FLOOR.low,
  question: null,
  requires: [],
  forbids: [],
  list: LIST,
  frame: null,
  tty: null,
  readsInside: false,
  programs: [],
  header: null,
  buttons: null,
  entry: [],
  clear: null,
  top: "^[ │┃]{0,8}[─━═▔▁]{8}",
  start: null,
  queue: null,
  footer: [],
  field: null,
  tail: null,
  cut: [],
  content: "body",
  choices: [
    {
      label: "(?i)\\b(?:always|don.?t ask|do not ask|(?:this|the) session|remember)\\b",
      intent: "allow_always",
      endsTool: false,
    },
    {
      label: "(?i)^(?:no|deny|reject|decline|cancel|refuse|abort|don.?t)\\b",
      intent: "reject_once",
      endsTool: false,
    },
    {
      label: "(?i)^(?:yes|allow|approve|accept|proceed|continue|ok)\\b",
      intent: "allow_once",
      endsTool: false,
    },
  ],
  ifHidden: null,
  answer: "arrows",
  checkList: null,
  textMax: 0,
  stableMs: 0,
  deafMs: 0,
};

/** Null where no such list takes the tool's input. What it is about may be more than is drawn: its content never counts as whole. */
export function anyListCandidate(whole: Page): Candidate | null {
  for (const page of pagesOf(whole)) {
    const list = findAnyList(page);
    if (list === null) continue;
    const found = listCandidate(RULE, upTo(page, list.bottom), () => list);
    if (!isNoMatch(found)) return { ...found, content: { ...found.content, cut: found.content.cut ?? {} } };
  }
  return null;
}

/** As it is drawn, and without the frame around it. */
function pagesOf(whole: Page): readonly Page[] {
  return [whole, ...FRAMES.flatMap((kind) => readInsideFrame(whole, kind) ?? [])];
}

/** The lowest list: text above a dialog may look like one. */
function findAnyList(page: Page): FoundList | null {
  for (const mark of markedRows(page, LIST).reverse()) {
    const list = readList(page, mark);
    if (
      list &&
      isOneMarked(page, list, mark) &&
      areRows(page, list, mark) &&
      isLowest(page, list) &&
      isFree(page, list)
    )
      return list;
  }
  return null;
}

/** Between a label and what is said of it in the same row. */
const COLUMN_GAP = /\S( {3,})\S/u;

/** With what is said of each row below its label or, where all of it begins in one column, beside it. */
function readList(page: Page, mark: Mark): FoundList | null {
  const list = readListAt(page, mark, LIST);
  const columns = new Set(list?.rows.flatMap(({ first }) => columnBeside(textLeftOfBox(page, first)) ?? []));
  return list && columns.size === 1 ? readListAt(page, mark, { ...LIST, details: "beside" }) : list;
}

function columnBeside(text: string): number | null {
  const gap = COLUMN_GAP.exec(text);
  return gap && gap.index + 1 + (gap[1]?.length ?? 0);
}

/** A sign before every label: whatever it says, it may be a tick. */
const SIGN = /^[^\p{L}\p{N}"'`$/~.(<[-] /u;

/** The side of a box that something else is drawn into, so that it could not be taken off. */
const SIDE = /[│┃]$/u;

/** Bullets mark every row. What is ticked is answered by keys that nobody knows; of what is not drawn nobody knows what it says. */
function isOneMarked(page: Page, { rows, scrolled, editing }: FoundList, mark: Mark): boolean {
  if (
    scrolled ||
    (editing && !isLeftBehind(page)) ||
    rows.some(({ checked, label }) => checked !== null || SIGN.test(label))
  )
    return false;
  if (rows.some(({ label, detail }) => SIDE.test(label) || SIDE.test(detail ?? ""))) return false;
  const marked = rows.filter(({ first }) =>
    LIST.glyphs.includes(textLeftOfBox(page, first)[mark.column] ?? ""),
  );
  return marked.length === 1;
}

/** A hidden cursor in the last row that is drawn stands where drawing ended, and in no text field. */
function isLeftBehind(page: Page): boolean {
  return !page.cursor.visible && page.cursor.row === lastDrawn(page);
}

/** Signs that also begin paragraphs and quotes. */
const BULLETS = new Set("●◆*>»");

/**
 * Numbers, or signs on the other rows, say where each row begins. Without them rows are told apart by nothing but their column: a
 * paragraph begins like that, and so does what explains a row: it is long, or a blank row follows and then the next one.
 */
function areRows(page: Page, { rows, bottom }: FoundList, mark: Mark): boolean {
  if (rows.every(({ number }) => number !== null)) return true;
  const signs = rows.map(({ first }) => textLeftOfBox(page, first)[mark.column] ?? "");
  if (signs.some((sign) => UNMARKED.includes(sign))) return true;
  const isLong = (text: string): boolean => measureWidth(text) > page.cols / 2;
  if (rows.some(({ first }) => isLong(textLeftOfBox(page, first)))) return false;
  const next = isBlank(textAt(page, bottom + 1)) ? textLeftOfBox(page, bottom + 2) : "";
  return !BULLETS.has(signs.join("").trim()) && (isBlank(next) || indentOf(next) !== mark.text);
}

/** `Continue?`, `[y] allow`, `(y/n)`: below a list that is text, such a row asks what the keys would go to. */
const ASKS = /\?$|[[(](?:[a-zA-Z]|[yY](?:es)?\/[nN]o?)[\])]/u;

function isLowest(page: Page, { bottom }: FoundList): boolean {
  const below = page.rows.slice(bottom + 1).map(({ text }) => text.replace(/[│┃]/gu, "").trim());
  return (
    below.filter((text) => text !== "").length <= ROWS_BELOW_MAX && !below.some((text) => ASKS.test(text))
  );
}

/** A cursor that is shown stands where somebody types: elsewhere than in the list it is an input box. */
function isFree({ cursor }: Page, { top, bottom }: FoundList): boolean {
  return !cursor.visible || (cursor.row >= top && cursor.row <= bottom);
}

/** What stands below the list is no part of what is asked. */
function upTo(page: Page, bottom: number): Page {
  const rows = page.rows.map((row, at) => (at > bottom ? { ...row, text: "" } : row));
  return { ...page, rows };
}
