/** What another version of a tool might draw instead of a recorded dialog. Each is a pure function of the picture and what it asks. */
import type { Candidate } from "../../../src/sdk/candidate.js";
import type { View } from "../../../src/sdk/view.js";
import {
  isNarrow,
  overwrite,
  PLAIN,
  plainRow,
  rowsIn,
  sliceRow,
  readText,
  viewWith,
  type Edited,
  type MutationRow,
} from "./rows.js";

export interface MutatedDialog {
  readonly view: View;
  readonly asked: Candidate;
}

/** Null: this dialog has nothing that could be changed like that. */
export type Mutation = (dialog: MutatedDialog) => View | null;

/** Rows of its content that other tools draw below a dialog. */
const PANEL: readonly string[] = [
  "",
  "  ⎿  2 background tasks",
  "     build   running 12s",
  "     tests   queued",
];
const BOXED_PANEL: readonly string[] = [
  "╭─ Tasks ──────────╮",
  "│ build   running  │",
  "╰──────────────────╯",
];

/** Words of a footer that nobody has recorded. */
const OTHER_WORDS = "Choose with return, leave with escape";
const WRAPPED_WORDS = ["Choose with return, leave with escape,", "press ? for every shortcut"];

/** Marks that tools highlight a row with. */
const MARKS = /^([\s│┃|]*)([❯›>●▶→➤*▸◉])(?=\s)/u;
const OTHER_MARK = "➜";

/** Asked on a line of text, with the cursor behind it: nothing is drawn around or below it. */
function isOnALine({ shape }: Candidate): boolean {
  return ["line", "line_menu", "yes_no", "press_enter", "secret"].includes(shape);
}

function lastChoiceRow({ choices }: Candidate): number {
  return Math.max(...choices.map(({ lastRow }) => lastRow));
}

function firstChoiceRow({ choices }: Candidate): number {
  return Math.min(...choices.map(({ firstRow }) => firstRow));
}

/** Rows below the last choice, up to the end of the screen's text: the footer, and what may stand below. */
function footerRows({ view, asked }: MutatedDialog): readonly number[] {
  const last = lastChoiceRow(asked);
  const below = rowsIn(view).slice(last + 1, asked.region.bottom + 1);
  // What stands right below the last choice explains it, where a blank row follows and then the footer.
  const blank = below.findIndex((row) => readText(row).replace(/[│┃]/gu, "").trim() === "");
  const first = below.slice(blank + 1).some(hasWords) ? blank + 1 : 0;
  return below.flatMap((row, at) => (at >= first && hasWords(row) ? [last + 1 + at] : []));
}

function hasWords(row: MutationRow): boolean {
  return /\p{L}/u.test(readText(row));
}

function edited({ view }: MutatedDialog, edit: (rows: readonly MutationRow[]) => Edited | null): View | null {
  const made = edit(rowsIn(view));
  return made && viewWith(view, made);
}

/** The text between the sides of a box, or the whole row. */
function innerStart(row: MutationRow): number {
  const [lead = ""] = /^[\s│┃]*/u.exec(readText(row)) ?? [];
  return lead.length;
}

function replaceWords(row: MutationRow, words: string): MutationRow | null {
  if (!isNarrow(row)) return null;
  const text = readText(row);
  const side = /\s+[│┃]$/u.exec(text);
  const start = innerStart(row);
  const end = side ? side.index : text.length;
  const style = sliceRow(row, start, start + 1, 0)[0]?.style ?? PLAIN;
  const width = side ? text.length - 1 : start + words.length;
  if (start + words.length > width) return null;
  const inner = { start, end: start + words.length, text: words, style };
  return {
    ...row,
    runs: [
      ...sliceRow(row, 0, start, 0),
      inner,
      ...(side
        ? sliceRow(row, Math.max(end, start + words.length), Infinity, Math.max(end, start + words.length))
        : []),
    ],
  };
}

/** The footer says the same in other words. */
const otherFooter: Mutation = (dialog) => {
  const [first, ...others] = footerRows(dialog);
  if (first === undefined) return null;
  return edited(dialog, (rows) => {
    const row = replaceWords(rows[first]!, OTHER_WORDS);
    if (row === null) return null;
    const kept = rows.map((old, at) => (at === first ? row : others.includes(at) ? plainRow("") : old));
    return { rows: kept, cursorRow: dialog.view.cursor.y };
  });
};

/** There is no footer. */
const noFooter: Mutation = (dialog) => {
  const footer = footerRows(dialog);
  if (footer.length === 0) return null;
  return edited(dialog, (rows) => ({
    rows: rows.map((row, at) => (footer.includes(at) ? plainRow("") : row)),
    cursorRow: dialog.view.cursor.y,
  }));
};

/** The footer takes one row more. */
const longerFooter: Mutation = (dialog) => {
  const [first] = footerRows(dialog);
  if (first === undefined) return null;
  return edited(dialog, (rows) => {
    const made = WRAPPED_WORDS.map((words) => replaceWords(rows[first]!, words));
    if (made.some((row) => row === null)) return null;
    const { y } = dialog.view.cursor;
    return {
      rows: withoutBlankEnd(
        [...rows.slice(0, first), ...(made as MutationRow[]), ...rows.slice(first + 1)],
        1,
      ),
      cursorRow: y > first ? y + 1 : y,
    };
  });
};

/** Blank rows at the end give way to rows that were put in. */
function withoutBlankEnd(rows: readonly MutationRow[], count: number): readonly MutationRow[] {
  let end = rows.length;
  while (count > 0 && end > 0 && readText(rows[end - 1]!) === "") {
    end--;
    count--;
  }
  return rows.slice(0, end);
}

const below =
  (panel: readonly string[]): Mutation =>
  (dialog) =>
    isOnALine(dialog.asked)
      ? null
      : edited(dialog, (rows) => {
          const { bottom } = dialog.asked.region;
          const at = Math.max(bottom, lastChoiceRow(dialog.asked)) + 1;
          const put = [...rows.slice(0, at), ...panel.map(plainRow), ...rows.slice(at)];
          const { y } = dialog.view.cursor;
          return { rows: withoutBlankEnd(put, panel.length), cursorRow: y >= at ? y + panel.length : y };
        });

/** A frame around the rows of the dialog, where they leave room for its sides. */
const boxed: Mutation = (dialog) =>
  edited(dialog, (rows) => {
    const { view, asked } = dialog;
    if (isOnALine(asked)) return null;
    const { top, bottom } = asked.region;
    const last = Math.max(bottom, lastChoiceRow(asked));
    const inside = rows.slice(top, last + 1);
    const width = view.cols - 4;
    const hasRoom = inside.every(
      (row) => isNarrow(row) && readText(row).length <= width && !/[│┃╭╰┌└]/u.test(readText(row)),
    );
    if (!hasRoom || inside.some((row) => /^[─━═▔▁╌]{8}/u.test(readText(row).trim()))) return null;
    const side = (start: number) => ({ start, end: start + 1, text: "│", style: PLAIN });
    const framed = inside.map((row) => ({
      wrapped: row.wrapped,
      runs: [side(0), ...sliceRow(row, 0, width, 2), side(view.cols - 1)],
    }));
    const edge = (left: string, right: string): MutationRow =>
      plainRow(left + "─".repeat(view.cols - 2) + right);
    const put = [...rows.slice(0, top), edge("╭", "╮"), ...framed, edge("╰", "╯"), ...rows.slice(last + 1)];
    const { x, y } = view.cursor;
    const isInside = y >= top && y <= last;
    return {
      rows: withoutBlankEnd(put, 2),
      cursorRow: y > last ? y + 2 : y >= top ? y + 1 : y,
      cursorColumn: isInside ? Math.min(view.cols - 1, x + 2) : x,
    };
  });

/** The screen is so low that what stands above the choices is scrolled away. */
const headScrolledOff: Mutation = ({ view, asked }) => {
  const first = firstChoiceRow(asked);
  if (first < 1 || !Number.isFinite(first)) return null;
  const rows = rowsIn(view).slice(first);
  const height = view.rows - first;
  if (height < 3) return null;
  return viewWith({ ...view, rows: height }, { rows, cursorRow: Math.max(0, view.cursor.y - first) });
};

/** One label is longer than its row: its end stands below, at the label's column. */
const wrappedLabel: Mutation = (dialog) =>
  edited(dialog, (rows) => {
    const long = dialog.asked.choices.find(
      ({ label, firstRow, lastRow, column }) =>
        firstRow === lastRow && column === undefined && label.includes(" "),
    );
    const row = long && rows[long.firstRow];
    if (!long || !row || !isNarrow(row)) return null;
    const text = readText(row);
    const column = text.indexOf(long.label);
    // Where rows have no numbers, tools break a label only where its row is full.
    if (!/\d\.\s*$/u.test(text.slice(0, column))) return null;
    const space = text.indexOf(" ", column + 1);
    if (column < 0 || space < 0 || /[│┃]/u.test(text) || text.slice(0, column).trim() === "") return null;
    const at = long.firstRow;
    const head = { wrapped: row.wrapped, runs: sliceRow(row, 0, space, 0) };
    const tail = { wrapped: false, runs: sliceRow(row, space + 1, Infinity, column) };
    const { y } = dialog.view.cursor;
    const put = [...rows.slice(0, at), head, tail, ...rows.slice(at + 1)];
    return { rows: withoutBlankEnd(put, 1), cursorRow: y > at ? y + 1 : y };
  });

const noColours: Mutation = (dialog) =>
  edited(dialog, (rows) => ({
    rows: rows.map((row) => ({ ...row, runs: row.runs.map((run) => ({ ...run, style: PLAIN })) })),
    cursorRow: dialog.view.cursor.y,
  }));

/** Another mark before the highlighted row. */
const otherMark: Mutation = (dialog) => {
  const { highlighted, choices } = dialog.asked;
  const at = highlighted === null ? undefined : choices[highlighted - 1]?.firstRow;
  return edited(dialog, (rows) => {
    const row = at === undefined ? undefined : rows[at];
    const [, lead = "", mark] = (row && MARKS.exec(readText(row))) ?? [];
    if (at === undefined || row === undefined || mark === undefined || !isNarrow(row)) return null;
    const changed = overwrite(row, lead.length, OTHER_MARK);
    return { rows: rows.map((old, i) => (i === at ? changed : old)), cursorRow: dialog.view.cursor.y };
  });
};

export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  "the footer in other words": otherFooter,
  "no footer": noFooter,
  "the footer on two rows": longerFooter,
  "a panel below": below(PANEL),
  "a boxed panel below": below(BOXED_PANEL),
  "a box around": boxed,
  "the heading scrolled away": headScrolledOff,
  "a label on two rows": wrappedLabel,
  "no colours": noColours,
  "another mark": otherMark,
};
