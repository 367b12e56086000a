/** The whole of `watch` as lines: exactly as many as the terminal has rows, none wider than it is. Pure. */
import { stateWords } from "../../model/last-words.js";
import type { ListedSession } from "../../wire/listings.js";
import { listLines } from "./draw-list.js";
import { promptExtent, promptLines, type PromptParts } from "./draw-prompt.js";
import type { ListExtent } from "./keys.js";
import {
  bold,
  dim,
  fillHeight,
  fit,
  inverse,
  leftAndRight,
  red,
  rule,
  windowOf,
  wrapText,
  wrapWords,
  type Size,
} from "./lay-out.js";
import { rowsOf, type AnswerRow } from "./answers.js";
import { outcomeHere, promptOnPage, sessionOnPage, type WatchState } from "./state.js";

/** Smaller than this nothing can be read, so nothing is asked. */
const COLS_MIN = 20;
const ROWS_MIN = 8;

/** What became of an answer, with its reason; on a small terminal the question needs the rest. */
const NOTE_LINES_MAX = 3;

export interface Scene {
  readonly state: WatchState;
  readonly size: Size;
  readonly now: number;
  /** The line that a text is typed in; null while none is. */
  readonly input: string | null;
}

export function drawWatch({ state, size, now, input }: Scene): readonly string[] {
  const { cols, rows } = size;
  if (cols < COLS_MIN || rows < ROWS_MIN) return fillHeight([fit("Too small.", cols)], rows);
  const note = noteLines(state, cols);
  const foot = [...note.map(bold), dim(hintLine(hints(state), cols))];
  const inner = { cols, rows: rows - 1 - foot.length };
  const lines = [header(state, cols), ...pageLines({ state, size: inner, now, input }), ...foot];
  return fillHeight(
    lines.map((line) => fit(line, cols)),
    rows,
  );
}

/** How far the text of the page can be scrolled. */
export function extentOf({ state, size, now, input }: Scene): ListExtent {
  const inner = { cols: size.cols, rows: size.rows - 2 - noteLines(state, size.cols).length };
  const parts = promptParts(state, input);
  if (parts) return promptExtent(parts, inner, now);
  const session = sessionOnPage(state);
  const length = session ? sessionText(session, inner.cols).length : 0;
  return { last: Math.max(0, length - inner.rows), page: Math.max(1, inner.rows - 1) };
}

function noteLines({ note }: WatchState, cols: number): readonly string[] {
  return note === null ? [] : wrapWords(note, cols, NOTE_LINES_MAX);
}

function pageLines({ state, size, now, input }: Scene): readonly string[] {
  const parts = promptParts(state, input);
  if (parts) return promptLines(parts, size, now);
  const session = sessionOnPage(state);
  if (!session || state.page.kind !== "session") return listLines(state, size, now);
  return fillHeight(windowOf(sessionText(session, size.cols), state.page.scroll, size.rows), size.rows);
}

function promptParts(state: WatchState, input: string | null): PromptParts | null {
  const prompt = promptOnPage(state);
  if (!prompt || state.page.kind !== "prompt") return null;
  return { prompt, page: state.page, sessions: state.hub.sessions, input };
}

function header({ hub, problem }: WatchState, cols: number): string {
  const counted = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;
  const facts =
    problem === null
      ? `${counted(hub.prompts.length, "question")} · ${counted(hub.sessions.length, "session")}`
      : "waiting for a hub";
  const paused = hub.paused ? red(" PAUSED") : "";
  return leftAndRight(inverse(bold(" AtlasBridge ")) + paused, facts, cols);
}

function sessionText(
  { tool, label, state, said, cwd, pid, sessionId }: ListedSession,
  cols: number,
): readonly string[] {
  const facts = [
    label === null ? tool : `${tool} (${label})`,
    stateWords(state, said),
    cwd,
    `process ${pid}`,
    sessionId,
  ];
  const words = said === null ? [dim("(nothing was read of what it said last)")] : wrapText(said, cols);
  return [...facts.flatMap((fact) => wrapText(fact, cols)), rule(cols, "its last words"), ...words];
}

/** A key and what it does. */
type Hint = readonly [key: string, does: string];

const SCROLL: Hint = ["PgUp PgDn", "scroll"];
const BACK: Hint = ["Esc", "back"];

function hints(state: WatchState): readonly Hint[] {
  const { page } = state;
  if (page.kind === "list") {
    const enter = outcomeHere(state) ? "ask again" : "open";
    return [
      ["↑↓", "move"],
      ["Enter", enter],
      ["q", "quit"],
    ];
  }
  if (page.kind === "session") return [SCROLL, BACK];
  if (page.entry)
    return [
      ["Enter", "send"],
      ["Esc", "do not"],
    ];
  const prompt = promptOnPage(state);
  const rows = prompt ? rowsOf(prompt) : [];
  return rows.length === 0 ? [SCROLL, BACK] : answerHints(rows[page.row]);
}

function answerHints(row: AnswerRow | undefined): readonly Hint[] {
  const more: readonly Hint[] = row?.ticks
    ? [["Space", "tick"]]
    : row?.text === "optional"
      ? [["Tab", "with a text"]]
      : [];
  return [...more, ["↑↓", "choose"], ["Enter", "answer"], ["PgDn", "scroll"], BACK];
}

/** Every key, and from the left as many words as there is room for: a key whose name is seen can be tried. */
function hintLine(all: readonly Hint[], cols: number): string {
  const lines = Array.from({ length: all.length + 1 }, (_, bare) =>
    all.map(([key, does], at) => (at < all.length - bare ? `${key} ${does}` : key)).join(" · "),
  );
  return fit(lines.find((line) => line.length <= cols) ?? lines.at(-1) ?? "", cols);
}
