/** Draws the whole of `watch`: exactly as many lines as the terminal has rows, none wider than the terminal. Pure. */
import { describeToolState } from "../../model/last-words.js";
import type { ListedSession } from "../../wire/listings.js";
import { drawList } from "./draw-list.js";
import { measurePromptPage, drawPromptPage, type PromptParts } from "./draw-prompt.js";
import type { ListExtent } from "./keys.js";
import {
  bold,
  dim,
  fillHeight,
  fit,
  inverse,
  placeLeftAndRight,
  red,
  rule,
  sliceWindow,
  wrapText,
  wrapWords,
  type Size,
} from "./lay-out.js";
import { buildRows, type AnswerRow } from "./answers.js";
import { findHighlightedOutcome, findPagePrompt, findPageSession, type WatchState } from "./state.js";

/** On smaller terminals nothing is readable, so no prompt is shown. */
const COLS_MIN = 20;
const ROWS_MIN = 8;

/** The outcome of an answer with its reason; on a small terminal the prompt needs the rest. */
const NOTE_LINES_MAX = 3;

export interface Scene {
  readonly state: WatchState;
  readonly size: Size;
  readonly now: number;
  /** The input line for a text; null if none is being typed. */
  readonly input: string | null;
}

export function drawWatch({ state, size, now, input }: Scene): readonly string[] {
  const { cols, rows } = size;
  if (cols < COLS_MIN || rows < ROWS_MIN) return fillHeight([fit("The terminal is too small.", cols)], rows);
  const note = noteLines(state, cols);
  const foot = [...note.map(bold), dim(drawHints(listHints(state), cols))];
  const inner = { cols, rows: rows - 1 - foot.length };
  const lines = [header(state, cols), ...drawPage({ state, size: inner, now, input }), ...foot];
  return fillHeight(
    lines.map((line) => fit(line, cols)),
    rows,
  );
}

/** How far the page's text can be scrolled. */
export function measurePage({ state, size, now, input }: Scene): ListExtent {
  const inner = { cols: size.cols, rows: size.rows - 2 - noteLines(state, size.cols).length };
  const parts = findPromptParts(state, input);
  if (parts) return measurePromptPage(parts, inner, now);
  const session = findPageSession(state);
  const length = session ? describeSession(session, inner.cols).length : 0;
  return { last: Math.max(0, length - inner.rows), page: Math.max(1, inner.rows - 1) };
}

function noteLines({ note }: WatchState, cols: number): readonly string[] {
  return note === null ? [] : wrapWords(note, cols, NOTE_LINES_MAX);
}

function drawPage({ state, size, now, input }: Scene): readonly string[] {
  const parts = findPromptParts(state, input);
  if (parts) return drawPromptPage(parts, size, now);
  const session = findPageSession(state);
  if (!session || state.page.kind !== "session") return drawList(state, size, now);
  return fillHeight(
    sliceWindow(describeSession(session, size.cols), state.page.scroll, size.rows),
    size.rows,
  );
}

function findPromptParts(state: WatchState, input: string | null): PromptParts | null {
  const prompt = findPagePrompt(state);
  if (!prompt || state.page.kind !== "prompt") return null;
  return { prompt, page: state.page, sessions: state.hub.sessions, input };
}

function header({ hub, problem }: WatchState, cols: number): string {
  const counted = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;
  const facts =
    problem === null
      ? `${counted(hub.prompts.length, "prompt")} · ${counted(hub.sessions.length, "session")}`
      : "waiting for a hub";
  const paused = hub.paused ? red(" PAUSED") : "";
  return placeLeftAndRight(inverse(bold(" AtlasBridge ")) + paused, facts, cols);
}

function describeSession(
  { tool, label, state, said, cwd, pid, sessionId }: ListedSession,
  cols: number,
): readonly string[] {
  const facts = [
    label === null ? tool : `${tool} (${label})`,
    describeToolState(state, said),
    cwd,
    `process ${pid}`,
    sessionId,
  ];
  const words = said === null ? [dim("(its last message is not known)")] : wrapText(said, cols);
  return [...facts.flatMap((fact) => wrapText(fact, cols)), rule(cols, "last message"), ...words];
}

/** A key and its effect. */
type Hint = readonly [key: string, does: string];

const SCROLL: Hint = ["PgUp PgDn", "scroll"];
const BACK: Hint = ["Esc", "back"];

function listHints(state: WatchState): readonly Hint[] {
  const { page } = state;
  if (page.kind === "list") {
    const enter = findHighlightedOutcome(state) ? "ask again" : "open";
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
      ["Esc", "cancel"],
    ];
  const prompt = findPagePrompt(state);
  const rows = prompt ? buildRows(prompt) : [];
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

/** Shows every key, with as many descriptions from the left as fit. */
function drawHints(all: readonly Hint[], cols: number): string {
  const lines = Array.from({ length: all.length + 1 }, (_, bare) =>
    all.map(([key, does], at) => (at < all.length - bare ? `${key} ${does}` : key)).join(" · "),
  );
  return fit(lines.find((line) => line.length <= cols) ?? lines.at(-1) ?? "", cols);
}
