import type { AdapterCode, DrawnDialog } from "../src/sdk/adapter-code.js";

/** Before the call continues after `Always allow`, its dialog is drawn once more. */
const REVEALS_MS = 1000;
/** Long commands and changes end after seven rows, in narrow terminals after five, and nothing says so. */
const ROWS_MAX = 5;
/** The call may come to the screen later than the question whether it may be made (390 ms). */
const UNTOLD_MS = 2000;
/**
 * What can scroll is laid out in two steps; on a busy machine the second one takes its time (254 ms, and more than 300 where there
 * was work for eight). Only then do its rows fill the room above the choices.
 */
const LAYOUT_MS = 1000;
const BLANK_ROWS_MAX = 2;

export const opencode: AdapterCode = {
  complete: ({ candidate, view }) => {
    if (candidate.rule === "always")
      return { ...candidate, reveals: { rule: "permission", withinMs: REVEALS_MS } };
    const rows = callRows({ candidate, view });
    if (rows === null || (rows > 0 && rows < ROWS_MAX)) return candidate;
    return { ...candidate, content: { ...candidate.content, cut: candidate.content.cut ?? {} } };
  },
  computeLayoutMs: (dialog) => {
    if (callRows(dialog) === 0) return UNTOLD_MS;
    const { content, hasAllRows } = dialog.candidate;
    const lacksRows = content.cut !== null && !hasAllRows;
    return lacksRows && countBlankRowsAboveChoices(dialog) > BLANK_ROWS_MAX ? LAYOUT_MS : 0;
  },
};

/** How many rows show the call that a permission is for, blank ones around them left out; null for another dialog. */
function callRows({ candidate: { rule, choices, region }, view }: DrawnDialog): number | null {
  if (rule !== "permission") return null;
  const rows = view.lines.slice(region.top, choices[0]?.firstRow).map(({ text }) => text.replace(BAR, ""));
  const asked = rows.findIndex((text) => QUESTION.test(text));
  const behind = rows.slice(asked).findIndex((text) => text.trim() === "");
  const drawn =
    behind < 0
      ? ""
      : rows
          .slice(asked + behind)
          .join("\n")
          .trim();
  return drawn === "" ? 0 : drawn.split("\n").length;
}

const QUESTION = /^ {0,80}△ Permission required/u;
/** At its left side. */
const BAR = /^ {0,400}┃/u;

/** Beside the bar and a scroll bar a row is blank, too. */
const DRAWN_ONLY = /^[\s│┃║|█▀▄]*$/u;

function countBlankRowsAboveChoices({ candidate: { choices }, view: { lines } }: DrawnDialog): number {
  const row = choices[0]?.firstRow ?? 0;
  let above = row - 1;
  while (above >= 0 && DRAWN_ONLY.test(lines[above]?.text ?? "")) above--;
  return row - 1 - above;
}
