/** One look at the emulator's cells: lines, styled runs, cursor, modes. About 60 µs at 120×40, so nothing is put off. */
import type { IBuffer, IBufferCell, IBufferLine, Terminal } from "@xterm/headless";
import type { Colour, Style, StyledRun, View, ViewLine } from "../../sdk/view.js";

interface Extras {
  readonly frame: number;
  readonly title: string;
  readonly cursorVisible: boolean;
  readonly scrollback: readonly string[];
}

export function pictureOf(terminal: Terminal, extras: Extras): View {
  const buffer = terminal.buffer.active;
  const cell = buffer.getNullCell();
  return {
    cols: terminal.cols,
    rows: terminal.rows,
    lines: Array.from({ length: terminal.rows }, (_, y) => lineOf(buffer, y, terminal.cols, cell)),
    cursor: { x: buffer.cursorX, y: buffer.cursorY, visible: extras.cursorVisible },
    modes: {
      alternateScreen: buffer.type === "alternate",
      bracketedPaste: terminal.modes.bracketedPasteMode,
      applicationCursorKeys: terminal.modes.applicationCursorKeysMode,
      focusReports: terminal.modes.sendFocusMode,
      synchronizedUpdate: terminal.modes.synchronizedOutputMode,
    },
    title: extras.title,
    scrollback: extras.scrollback,
    frame: extras.frame,
  };
}

/**
 * A row's text without trailing blanks. What a smaller screen has cut off behind `cols` is kept by the emulator and is not to be seen.
 */
export function textOf(line: IBufferLine | undefined, cols?: number): string {
  return trimBlanks(line?.translateToString(true, 0, cols) ?? "");
}

/** Without trailing blanks. Non-breaking ones stay: tools use them to mark their input box. */
export function trimBlanks(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0x20) end--;
  return text.slice(0, end);
}

function lineOf(buffer: IBuffer, y: number, cols: number, cell: IBufferCell): ViewLine {
  const line = buffer.getLine(buffer.baseY + y);
  const runs = line ? runsOf(line, cols, cell) : [];
  return { text: textOf(line, cols), wrapped: line?.isWrapped ?? false, runs: () => runs };
}

function runsOf(line: IBufferLine, cols: number, cell: IBufferCell): readonly StyledRun[] {
  const runs: StyledRun[] = [];
  let start = 0;
  let text = "";
  let style: Style | null = null;
  let [foreground, background, flags] = [-1, -1, -1];
  for (let x = 0; x < cols; x++) {
    const at = line.getCell(x, cell);
    if (!at) break;
    // The second half of a wide character.
    if (at.getWidth() === 0) continue;
    const [f, b, g] = [
      at.getFgColorMode() + at.getFgColor(),
      at.getBgColorMode() + at.getBgColor(),
      flagsOf(at),
    ];
    if (f !== foreground || b !== background || g !== flags) {
      if (style) runs.push({ start, end: x, text, style });
      [foreground, background, flags] = [f, b, g];
      [start, text, style] = [x, "", styleOf(at)];
    }
    text += at.getChars() || " ";
  }
  if (style) runs.push({ start, end: cols, text, style });
  return runs;
}

function flagsOf(cell: IBufferCell): number {
  return (
    (cell.isBold() ? 1 : 0) |
    (cell.isDim() ? 2 : 0) |
    (cell.isInverse() ? 4 : 0) |
    (cell.isUnderline() ? 8 : 0) |
    (cell.isInvisible() ? 16 : 0) |
    (cell.isStrikethrough() ? 32 : 0)
  );
}

function styleOf(cell: IBufferCell): Style {
  return {
    foreground: colourOf(cell.isFgDefault(), cell.isFgRGB(), cell.getFgColor()),
    background: colourOf(cell.isBgDefault(), cell.isBgRGB(), cell.getBgColor()),
    bold: cell.isBold() !== 0,
    dim: cell.isDim() !== 0,
    inverse: cell.isInverse() !== 0,
    underline: cell.isUnderline() !== 0,
    invisible: cell.isInvisible() !== 0,
    strikethrough: cell.isStrikethrough() !== 0,
  };
}

function colourOf(isDefault: boolean, isRgb: boolean, colour: number): Colour {
  if (isDefault) return null;
  return isRgb ? `#${colour.toString(16).padStart(6, "0")}` : colour;
}
