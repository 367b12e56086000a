/** The line a plain program waits on: the cursor stands right behind its text, and nothing is below. */
import type { Signals } from "../../../sdk/view.js";
import { widthOf } from "../../screen/widths.js";
import { isBlank, lastDrawn, textAt, type Page } from "../layout/layout.js";

export interface WaitingLine {
  /** Row of the page, and the one on which its text begins: a tool that draws by itself breaks its line at the edge. */
  readonly row: number;
  readonly top: number;
  readonly text: string;
  /** The kernel says that somebody reads the terminal: no guess any more. */
  readonly isProven: boolean;
  readonly input: LineInput;
}

/**
 * How what is typed reaches the tool: as a `line` with its Enter; as `one_key`, which answers and nothing follows it (the tool
 * reads keys and the terminal shows them: `read -n1`); or as `keys` that the tool reads and draws itself: some programs act at
 * the first one, others wait for Enter.
 */
export type LineInput = "line" | "one_key" | "keys";

/** Blanks between a question and the cursor: `Name: ` has one; some programs print a tab's worth. */
const BLANKS_BEHIND_MAX = 4;

/** A line broken more often is a text, and no question. */
const BROKEN_ROWS_MAX = 4;

/** Nobody asks in longer lines; it bounds the work on a line that fills the screen. */
const LENGTH_MAX = 1024;

/**
 * Null when no line waits there, or the evidence says that nothing reads: on the alternate screen (`onAnyScreen`: also there),
 * while the foreground process does something else, or while characters are taken one by one without echo and nobody is known to wait.
 */
export function findWaitingLine(page: Page, signals: Signals, onAnyScreen = false): WaitingLine | null {
  if ((page.view.modes.alternateScreen && !onAnyScreen) || signals.blockedOnRead === false) return null;
  const row = lastDrawn(page);
  const text = textAt(page, row);
  if (row < 0 || isBlank(text) || text.length > LENGTH_MAX) return null;
  const isProven = signals.blockedOnRead === true;
  const takesKeys = signals.canonical === false;
  const isHere = isBehind(page, row) || (takesKeys && (isParked(page, row) || isPastEdge(page, row)));
  if (!isHere && !(isProven && isBelow(page, row))) return null;
  const top = takesKeys ? brokenFrom(page, row) : row;
  const rows = page.rows.slice(top, row + 1).map((each) => each.text);
  return { row, top, text: rows.join(""), isProven, input: inputOf(signals) };
}

/** Rows above that are full to the last column. */
function brokenFrom(page: Page, row: number): number {
  let top = row;
  while (top > 0 && row - top < BROKEN_ROWS_MAX && widthOf(textAt(page, top - 1)) === page.cols) top--;
  return top;
}

/** While it is still being found out what the tool reads, a line may turn out to be keys. */
function inputOf({ canonical, echo, ttyDue }: Signals): LineInput {
  if (canonical === false) return echo === true ? "one_key" : "keys";
  return canonical === undefined && ttyDue ? "keys" : "line";
}

function isBehind(page: Page, row: number): boolean {
  const blanks = page.cursor.column - widthOf(textAt(page, row));
  return page.cursor.row === row && blanks >= 0 && blanks <= BLANKS_BEHIND_MAX;
}

/** `print("Continue?"); input()`: only proof that somebody reads makes the line above a question. */
function isBelow(page: Page, row: number): boolean {
  return page.cursor.column === 0 && page.cursor.row === row + 1;
}

/** A tool that draws its own cursor hides the terminal's below its text. */
function isParked(page: Page, row: number): boolean {
  return !page.cursor.visible && isBelow(page, row);
}

/** The text fills its row, and the tool went on in the next one by itself. */
function isPastEdge(page: Page, row: number): boolean {
  const isFull = widthOf(textAt(page, row)) === page.cols;
  return isFull && page.cursor.row === row + 1 && page.cursor.column <= BLANKS_BEHIND_MAX;
}
