/** The line a plain program waits on: the cursor stands right behind its text, and nothing is below. */
import type { Signals } from "../../../sdk/view.js";
import { widthOf } from "../../screen/widths.js";
import { isBlank, lastDrawn, textAt, type Page } from "../layout.js";

export interface WaitingLine {
  /** Row of the page. */
  readonly row: number;
  readonly text: string;
  /** The kernel says that somebody reads the terminal: no guess any more. */
  readonly isProven: boolean;
  /** One key answers, nothing follows it: the tool reads keys and the terminal shows them (`read -n1`). */
  readonly takesOneKey: boolean;
}

/** Blanks between a question and the cursor: `Name: ` has one; some programs print a tab's worth. */
const BLANKS_BEHIND_MAX = 4;

/** Nobody asks in longer lines; it bounds the work on a line that fills the screen. */
const LENGTH_MAX = 1024;

/**
 * Null when no line waits there, or the evidence says that nothing reads: on the alternate screen, while the foreground process
 * does something else, or while characters are taken one by one without echo and nobody is known to wait.
 */
export function waitingLine(page: Page, signals: Signals): WaitingLine | null {
  if (page.view.modes.alternateScreen || signals.blockedOnRead === false) return null;
  const row = lastDrawn(page);
  const text = textAt(page, row);
  if (row < 0 || isBlank(text) || text.length > LENGTH_MAX) return null;
  const isProven = signals.blockedOnRead === true;
  if (!isBehind(page, row) && !(isProven && isBelow(page, row))) return null;
  return { row, text, isProven, takesOneKey: signals.canonical === false && signals.echo === true };
}

function isBehind(page: Page, row: number): boolean {
  const blanks = page.cursor.column - widthOf(textAt(page, row));
  return page.cursor.row === row && blanks >= 0 && blanks <= BLANKS_BEHIND_MAX;
}

/** `print("Continue?"); input()`: only proof that somebody reads makes the line above a question. */
function isBelow(page: Page, row: number): boolean {
  return page.cursor.column === 0 && page.cursor.row === row + 1;
}
