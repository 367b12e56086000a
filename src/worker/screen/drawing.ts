/** The bytes that draw a picture on an empty terminal of its size: a recording may begin in the middle of a session. */
import type { Colour, Style, StyledRun, View, ViewLine } from "../../sdk/view.js";
import { trimBlanks } from "./rows.js";
import { widthOf } from "./widths.js";

const CSI = "\u001b[";
const NEXT_ROW = "\r\n";
const PLAIN = `${CSI}m`;

/** Picture, cursor, modes and title. What no picture shows (the pen, margins, saved cursors) is as after a reset. */
export function drawingOf(view: View): string {
  return [
    modes(view),
    scrolledAway(view),
    view.lines.map((line, row) => drawLine(line, view.lines[row + 1])).join(""),
    PLAIN,
    `\u001b]0;${view.title}\u0007`,
    `${CSI}${view.cursor.y + 1};${Math.min(view.cursor.x, view.cols - 1) + 1}H`,
    // Only drawing in the last column leaves the cursor behind it.
    view.cursor.x < view.cols ? "" : lastCell(view),
    view.cursor.visible ? "" : `${CSI}?25l`,
    view.modes.synchronizedUpdate ? `${CSI}?2026h` : "",
  ].join("");
}

function modes({
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

/** The last of it to the edge where the first row of the picture goes on from it. */
function scrolledAway({ scrollback, lines, cols }: View): string {
  const drawn = scrollback.map((line) => line + NEXT_ROW);
  const last = lines[0]?.wrapped ? scrollback.at(-1) : undefined;
  if (last === undefined) return drawn.join("");
  return drawn.slice(0, -1).join("") + last + " ".repeat(Math.max(cols - widthOf(last), 0));
}

/** A row that goes on in the next one is drawn to its edge, so that the terminal wraps it. */
function drawLine(line: ViewLine, next: ViewLine | undefined): string {
  const runs = line.runs();
  const wraps = next?.wrapped === true;
  const drawn = wraps ? runs : runs.slice(0, runs.findLastIndex((run) => !isBlank(run)) + 1);
  const text = drawn
    .map((run, index) => sgr(run.style) + textOf(run, !wraps && index === drawn.length - 1))
    .join("");
  // The terminal goes on to a wrapped row only for something to draw there.
  const begun = line.wrapped && text === "" ? " " : text;
  // A blank that wraps away still has to take its column.
  return begun + PLAIN + (next === undefined || wraps ? "" : NEXT_ROW);
}

function textOf({ text, style }: StyledRun, isLast: boolean): string {
  return isLast && isPlain(style) ? trimBlanks(text) : text;
}

function isBlank({ text, style }: StyledRun): boolean {
  return trimBlanks(text) === "" && isPlain(style);
}

function isPlain({ background, inverse, underline, strikethrough }: Style): boolean {
  return background === null && !inverse && !underline && !strikethrough;
}

function lastCell({ lines, cursor }: View): string {
  const run = lines[cursor.y]?.runs().at(-1);
  return run ? sgr(run.style) + ([...run.text].at(-1) ?? " ") + PLAIN : "";
}

function sgr(style: Style): string {
  const codes = [
    "0",
    style.bold ? "1" : "",
    style.dim ? "2" : "",
    style.underline ? "4" : "",
    style.inverse ? "7" : "",
    style.invisible ? "8" : "",
    style.strikethrough ? "9" : "",
    colour("3", style.foreground),
    colour("4", style.background),
  ];
  return `${CSI}${codes.filter((code) => code !== "").join(";")}m`;
}

function colour(ground: "3" | "4", value: Colour): string {
  if (value === null) return "";
  if (typeof value === "number") return `${ground}8;5;${value}`;
  const channels = [1, 3, 5].map((at) => parseInt(value.slice(at, at + 2), 16));
  return `${ground}8;2;${channels.join(";")}`;
}
