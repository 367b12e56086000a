/** Encodes a view as the bytes that draw it on an empty terminal of its size, because a recording may begin in the middle of a session. */
import type { Colour, Style, StyledRun, View, ViewLine } from "../../sdk/view.js";
import { trimBlanks } from "./rows.js";
import { measureWidth } from "./widths.js";

const CSI = "\u001b[";
const NEXT_ROW = "\r\n";
const PLAIN = `${CSI}m`;

/** Draws picture, cursor, modes and title. What no picture shows (the pen, margins, saved cursors) is left as after a reset. */
export function drawView(view: View): string {
  return [
    drawModes(view),
    drawScrollback(view),
    view.lines.map((line, row) => drawLine(line, view.lines[row + 1])).join(""),
    PLAIN,
    `\u001b]0;${view.title}\u0007`,
    `${CSI}${view.cursor.y + 1};${Math.min(view.cursor.x, view.cols - 1) + 1}H`,
    // Only drawing in the last column leaves the cursor behind that column.
    view.cursor.x < view.cols ? "" : drawLastCell(view),
    view.cursor.visible ? "" : `${CSI}?25l`,
    view.modes.synchronizedUpdate ? `${CSI}?2026h` : "",
  ].join("");
}

function drawModes({
  modes: { alternateScreen, bracketedPaste, applicationCursorKeys, focusReports },
}: View): string {
  const on = [
    alternateScreen ? "1049" : "",
    bracketedPaste ? "2004" : "",
    applicationCursorKeys ? "1" : "",
    focusReports ? "1004" : "",
  ];
  return on.map((mode) => (mode === "" ? "" : `${CSI}?${mode}h`)).join("");
}

/** The last line is filled up to the edge where the first row of the picture continues it. */
function drawScrollback({ scrollback, lines, cols }: View): string {
  const drawn = scrollback.map((line) => line + NEXT_ROW);
  const last = lines[0]?.wrapped ? scrollback.at(-1) : undefined;
  if (last === undefined) return drawn.join("");
  return drawn.slice(0, -1).join("") + last + " ".repeat(Math.max(cols - measureWidth(last), 0));
}

/** A row that continues in the next one is drawn to its edge, so that the terminal wraps it. */
function drawLine(line: ViewLine, next: ViewLine | undefined): string {
  const runs = line.runs();
  const wraps = next?.wrapped === true;
  const drawn = wraps ? runs : runs.slice(0, runs.findLastIndex((run) => !isBlank(run)) + 1);
  const text = drawn
    .map((run, index) => encodeStyle(run.style) + readRunText(run, !wraps && index === drawn.length - 1))
    .join("");
  // The terminal moves on to a wrapped row only if something is drawn there.
  const begun = line.wrapped && text === "" ? " " : text;
  // A blank that wraps away still has to take its column.
  return begun + PLAIN + (next === undefined || wraps ? "" : NEXT_ROW);
}

function readRunText({ text, style }: StyledRun, isLast: boolean): string {
  return isLast && isPlain(style) ? trimBlanks(text) : text;
}

function isBlank({ text, style }: StyledRun): boolean {
  return trimBlanks(text) === "" && isPlain(style);
}

function isPlain({ background, inverse, underline, strikethrough }: Style): boolean {
  return background === null && !inverse && !underline && !strikethrough;
}

function drawLastCell({ lines, cursor }: View): string {
  const run = lines[cursor.y]?.runs().at(-1);
  return run ? encodeStyle(run.style) + ([...run.text].at(-1) ?? " ") + PLAIN : "";
}

function encodeStyle(style: Style): string {
  const codes = [
    "0",
    style.bold ? "1" : "",
    style.dim ? "2" : "",
    style.underline ? "4" : "",
    style.inverse ? "7" : "",
    style.invisible ? "8" : "",
    style.strikethrough ? "9" : "",
    encodeColour("3", style.foreground),
    encodeColour("4", style.background),
  ];
  return `${CSI}${codes.filter((code) => code !== "").join(";")}m`;
}

function encodeColour(ground: "3" | "4", value: Colour): string {
  if (value === null) return "";
  if (typeof value === "number") return `${ground}8;5;${value}`;
  const channels = [1, 3, 5].map((at) => parseInt(value.slice(at, at + 2), 16));
  return `${ground}8;2;${channels.join(";")}`;
}
