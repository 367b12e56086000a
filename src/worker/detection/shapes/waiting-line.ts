/** Finds the line on which a plain program waits: the cursor is right behind its text, and no text is below. */
import type { Signals } from "../../../sdk/view.js";
import { measureWidth } from "../../screen/widths.js";
import { SHELLS } from "../../../model/data/shells.js";
import { isBlank, findLastDrawn, readTextAt, readTexts, type Page } from "../layout/layout.js";
import { readAnswerSet } from "./answers/answer-set.js";
import { hasNumberedRowsAbove, readLetteredMenu } from "./line-menu.js";

export interface WaitingLine {
  /** Row of the cursor's text, and `top`, the row on which the text begins: a tool that draws itself wraps its line at the edge. */
  readonly row: number;
  readonly top: number;
  readonly text: string;
  /** The kernel confirms that a process reads the terminal. */
  readonly isProven: boolean;
  readonly input: LineInput;
}

/**
 * How input reaches the tool. `line`: a line with its Enter. `one_key`: a single key answers (`read -n1`: no line mode, with echo).
 * `keys`: the tool reads and draws keys itself; some programs act on the first key, others wait for Enter.
 */
export type LineInput = "line" | "one_key" | "keys";

export interface LineSignals extends Signals {
  /** The program in front is not known, or reads commands: a mark alone may be its own prompt. */
  readonly mayReadCommands: boolean;
  /** Patterns of command prompts, `$ ` and `> `, where a program that reads no commands provably waits for a line: they forbid nothing. */
  readonly ignoredPrompts: readonly string[];
}

/** Blanks between a question and the cursor: `Name: ` has one; some programs print a tab's worth. */
const BLANKS_BEHIND_MAX = 4;

const BLANK_ROWS_MAX = 1;

/** A line over more rows is prose, not a question. */
const BROKEN_ROWS_MAX = 4;

/** Questions are shorter; this bounds the work on a line that fills the screen. */
const LENGTH_MAX = 1024;

/**
 * Null when no line waits, or when the evidence says that nothing reads: on the alternate screen (unless `onAnyScreen`), or while the
 * foreground process does something else.
 */
export function findWaitingLine(page: Page, signals: Signals, onAnyScreen = false): WaitingLine | null {
  if ((page.view.modes.alternateScreen && !onAnyScreen) || signals.blockedOnRead === false) return null;
  const row = findLastDrawn(page);
  const text = readTextAt(page, row);
  if (row < 0 || isBlank(text) || text.length > LENGTH_MAX) return null;
  const isProven = signals.blockedOnRead === true;
  const takesKeys = signals.canonical === false;
  const isHere = isBehind(page, row) || (takesKeys && (isParked(page, row) || isPastEdge(page, row)));
  if (!isHere && !(isProven && isBelow(page, row, BLANK_ROWS_MAX))) return null;
  const top = takesKeys ? findBrokenTop(page, row) : row;
  return { row, top, text: readTexts(page, top, row).join(""), isProven, input: detectInput(signals) };
}

/** They edit no line, so a label in front of the cursor is rather their prompt than a question of `read`. */
const PLAIN_SHELLS: readonly string[] = ["sh", "dash", "ash"];

/**
 * A shell's own prompt, whatever it says: most shells edit their command line themselves. What a shell asks there, it signs:
 * `zsh: correct 'gti' to 'git' [nyae]? `. `isLabel`: the line is read as one that wants a text, which a command in any interpreter may look like.
 */
export function isCommandLine(
  { text }: WaitingLine,
  { foreground = "", canonical, echo, mayReadCommands }: Omit<LineSignals, "ignoredPrompts">,
  isLabel: boolean,
): boolean {
  if (isLabel && PLAIN_SHELLS.includes(foreground)) return true;
  if (canonical !== false || echo !== false || foreground === "") return false;
  return (isLabel && mayReadCommands) || (SHELLS.has(foreground) && !text.startsWith(`${foreground}: `));
}

export const BARE_MARK = /^ ?[>❯›»] ?$/u;

/**
 * Where the cursor stands behind a mark alone, its question: the row above, or the mark's own row below those of a menu. Null where the mark
 * may be the prompt of a program that reads commands.
 */
export function findMarkedQuestion(
  page: Page,
  line: WaitingLine,
  { mayReadCommands }: LineSignals,
): WaitingLine | null {
  if (!BARE_MARK.test(line.text)) return line;
  const row = isBlank(readTextAt(page, line.row - 1)) ? line.row - 2 : line.row - 1;
  const text = readTextAt(page, row);
  const isSure = !mayReadCommands || readAnswerSet(text)?.answers.every(({ isLabelled }) => isLabelled);
  if (!isSure || isBlank(text)) return null;
  const isBelowRows = hasNumberedRowsAbove(page, line.row) || readLetteredMenu(page, line.row) !== null;
  return isBelowRows ? line : { ...line, row, top: row, text };
}

/** Rows above that are full to the last column. */
function findBrokenTop(page: Page, row: number): number {
  let top = row;
  while (top > 0 && row - top < BROKEN_ROWS_MAX && measureWidth(readTextAt(page, top - 1)) === page.cols)
    top--;
  return top;
}

/** While the facts of the tty are still due, the tool may turn out to read single keys. */
function detectInput({ canonical, echo, ttyDue }: Signals): LineInput {
  if (canonical === false) return echo === true ? "one_key" : "keys";
  return canonical === undefined && ttyDue ? "keys" : "line";
}

function isBehind(page: Page, row: number): boolean {
  const blanks = page.cursor.column - measureWidth(readTextAt(page, row));
  return page.cursor.row === row && blanks >= 0 && blanks <= BLANKS_BEHIND_MAX;
}

/** `print("Continue?"); input()`: the line above the cursor counts only with proof that the program reads. */
function isBelow(page: Page, row: number, blankRowsMax = 0): boolean {
  const rowsBelow = page.cursor.row - row;
  return page.cursor.column === 0 && rowsBelow >= 1 && rowsBelow <= 1 + blankRowsMax;
}

/** A tool that draws its own cursor hides the terminal's below its text. */
function isParked(page: Page, row: number): boolean {
  return !page.cursor.visible && isBelow(page, row);
}

/** The text fills its row, so the tool moved the cursor to the next row. */
function isPastEdge(page: Page, row: number): boolean {
  const isFull = measureWidth(readTextAt(page, row)) === page.cols;
  return isFull && page.cursor.row === row + 1 && page.cursor.column <= BLANKS_BEHIND_MAX;
}
