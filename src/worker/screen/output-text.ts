/**
 * Output as text, in the way a terminal shows it: overwritten text is removed, wrapped lines are whole. Unlike a screen it
 * forgets no line: lines that can no longer change are handed out at once.
 */
import xterm from "@xterm/headless";
import type { IBuffer, Terminal } from "@xterm/headless";
import { Feed } from "./emulator/feed.js";
import { VerticalMotion } from "./emulator/vertical-motion.js";

/** No more lines can be finished by one piece of output than it has bytes. */
const PIECE_BYTES = 4096;
const COLUMNS_MAX = 2000;
const ROWS_MAX = 1000;
const KEPT_LINES = PIECE_BYTES + ROWS_MAX;
/** Erases the scrollback: its lines were handed out. */
const FORGET = Buffer.from("\x1b[3J");

export interface OutputSize {
  readonly cols: number;
  readonly rows: number;
}

export class OutputText {
  readonly #terminal: Terminal;
  readonly #feed: Feed;
  readonly #motion: VerticalMotion;
  readonly #onText: (text: string) => void;
  /** The part of a wrapped line that was already scrolled out. */
  #openLine: string | null = null;
  #hasEnded = false;

  /**
   * `onText` gets the text in order, whole lines with their line feeds; the last piece may have none. `bareLineFeeds`: the program ends
   * its lines without a carriage return.
   */
  constructor(size: OutputSize, onText: (text: string) => void, bareLineFeeds = false) {
    this.#terminal = new xterm.Terminal({
      ...clampSize(size),
      allowProposedApi: true,
      logLevel: "off",
      scrollback: KEPT_LINES,
      convertEol: bareLineFeeds,
    });
    this.#feed = new Feed(this.#terminal, KEPT_LINES);
    this.#motion = new VerticalMotion(this.#terminal);
    this.#onText = onText;
  }

  /**
   * False after output that the emulator could not follow, or that was drawn into rows which are not known here: the text then
   * differs from the screen.
   */
  get isExact(): boolean {
    return this.#feed.isFollowed && this.#motion.isKnown;
  }

  /** What follows is seen at a terminal of this size. */
  resize(size: OutputSize): void {
    const { cols, rows } = clampSize(size);
    if (this.#hasEnded || (cols === this.#terminal.cols && rows === this.#terminal.rows)) return;
    this.#handOut();
    const { normal } = this.#terminal.buffer;
    const row = normal.baseY + normal.cursorY;
    const isWrapped = normal.getLine(row)?.isWrapped === true || normal.getLine(row + 1)?.isWrapped === true;
    this.#motion.onResize(isWrapped || readRow(normal, row).length > cols);
    this.#feed.resize(cols, rows);
  }

  /** The rest that was not handed out yet: lines that may still change, and the line of the cursor up to the cursor. */
  get pending(): string {
    if (this.#hasEnded) return "";
    const { normal } = this.#terminal.buffer;
    const cursor = normal.baseY + normal.cursorY;
    const { lines, open } = readLines(normal, { from: 0, to: cursor }, this.#openLine);
    return lines + (open ?? "") + readRow(normal, cursor, normal.cursorX);
  }

  write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      this.#parse(bytes.subarray(at, at + PIECE_BYTES));
      this.#handOut();
    }
  }

  /** Hands out the rest. No output may be written afterwards. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    const { normal } = this.#terminal.buffer;
    const cursor = normal.baseY + normal.cursorY;
    const last = Math.max(cursor, findLastRow(normal));
    const text = this.#read(normal, 0, last);
    // A line feed counts only if it was written: the cursor is in the empty row below the last text. zsh fills that row with blanks.
    const isBlank = readRow(normal, cursor).trim() === "" && normal.getLine(cursor)?.isWrapped !== true;
    const isAtLineStart = last === cursor && normal.cursorX === 0 && isBlank;
    this.#onText(isAtLineStart ? text : text + (this.#openLine ?? ""));
    this.#terminal.dispose();
  }

  #parse(bytes: Uint8Array): void {
    this.#feed.push(bytes);
    while (this.#feed.parse());
  }

  #handOut(): void {
    const { active, normal } = this.#terminal.buffer;
    if (active !== normal && active.type === "alternate") return;
    if (normal.baseY === 0) return;
    this.#motion.onScrolled();
    const text = this.#read(normal, 0, normal.baseY);
    this.#parse(FORGET);
    if (text !== "") this.#onText(text);
  }

  /** The rows from `from` up to `to`, as lines that have ended; one that continues is kept in `#openLine`. */
  #read(buffer: IBuffer, from: number, to: number): string {
    const { lines, open } = readLines(buffer, { from, to }, this.#openLine);
    this.#openLine = open;
    if (to === buffer.baseY && !this.#hasEnded) return lines;
    this.#openLine = (this.#openLine ?? "") + readRow(buffer, to);
    return lines;
  }
}

function clampSize({ cols, rows }: OutputSize): OutputSize {
  return { cols: Math.min(COLUMNS_MAX, Math.max(2, cols)), rows: Math.min(ROWS_MAX, Math.max(1, rows)) };
}

/** The rows from `from` up to `to` as lines that have ended, and the beginning of one that continues at `to`, or null. */
function readLines(
  buffer: IBuffer,
  { from, to }: { readonly from: number; readonly to: number },
  begun: string | null,
): { readonly lines: string; readonly open: string | null } {
  const lines: string[] = [];
  let open = begun;
  for (let y = from; y < to; y++) {
    const goesOn = buffer.getLine(y + 1)?.isWrapped === true;
    const text = (open ?? "") + (goesOn ? readFullRow(buffer, y) : readRow(buffer, y));
    open = goesOn ? text : null;
    if (!goesOn) lines.push(`${text}\n`);
  }
  return { lines: lines.join(""), open };
}

function findLastRow(buffer: IBuffer): number {
  for (let y = buffer.length - 1; y > 0; y--) if (readRow(buffer, y) !== "") return y;
  return 0;
}

/** `to`: the column before which it ends; otherwise where its text does. */
function readRow(buffer: IBuffer, y: number, to?: number): string {
  return buffer.getLine(y)?.translateToString(to === undefined, 0, to) ?? "";
}

/** A row that is wrapped. A wide character that did not fit leaves its last cell empty. */
function readFullRow(buffer: IBuffer, y: number): string {
  const line = buffer.getLine(y);
  if (!line) return "";
  const isShort =
    line.getCell(line.length - 1)?.getChars() === "" && line.getCell(line.length - 1)?.getWidth() === 1;
  return line.translateToString(false, 0, isShort ? line.length - 1 : line.length);
}
