/** Lays out `watch` as lines that fit the terminal. Texts were sanitized before. */
import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import type { PromptEnd, WatchedHub, WatchedPrompt } from "../../client/watch-hub.js";
import { describeNoOpenPrompts } from "../../model/no-open-prompts.js";
import { formatSubject } from "../../sdk/card-parts.js";
import { formatCount, formatPromptLine, formatSessionLine } from "../format.js";
import type { AnswerRow } from "./answers.js";

type Lines = readonly string[];

/** Rows with an id can be highlighted; the others are wrapped. */
export interface ScreenRow {
  readonly id?: string;
  readonly lines: Lines;
}

export interface Layout {
  readonly header: string;
  readonly title: string;
  /** The part that scrolls; null on a page of rows only. */
  readonly body: string | null;
  readonly rows: readonly ScreenRow[];
  readonly input: Lines;
  readonly note: string;
  readonly hints: Lines;
}

export interface PromptOutcome extends PromptEnd {
  readonly promptId: string;
  readonly shortId: string;
}

/** Smaller terminals show only a message. */
const COLS_MIN = 20;
const ROWS_MIN = 8;
/** In lines, for a title or a note. */
const WORDS_MAX = 3;

const sgr =
  (on: number, off: number) =>
  (text: string): string =>
    `\u001b[${on}m${text}\u001b[${off}m`;

/** Only styles that every terminal supports. */
const bold = sgr(1, 22);
const dim = sgr(2, 22);
const inverse = sgr(7, 27);
const yellow = sgr(33, 39);
const red = sgr(31, 39);

/**
 * Returns exactly the terminal's rows. `here`: the highlighted row, always visible. `last`: the last scroll position; `page`: the rows of a
 * page key.
 */
export function drawLayout(
  { header, title, body, rows, input, note, hints }: Layout,
  size: { readonly cols: number; readonly rows: number },
  here: string | null,
  scroll: number,
): { lines: string[]; last: number; page: number } {
  const { cols, rows: height } = size;
  if (cols < COLS_MIN || height < ROWS_MIN)
    return { lines: fill([fit("The terminal is too small.", cols)], height), last: 0, page: 1 };
  const head = [header, ...wrapWords(title, cols, WORDS_MAX).map(bold)];
  const foot = [...input, ...wrapWords(note, cols, WORDS_MAX).map(bold), drawHints(hints, cols)];
  const content = body === null ? [] : wrapBody(body, cols);
  const room = Math.max(0, height - head.length - foot.length - (body === null ? 0 : 1));
  const choices = drawRows(rows, here, cols, body === null ? room : Math.max(1, Math.ceil(room / 2)));
  const shown = Math.max(0, room - choices.length);
  const last = Math.max(0, content.length - shown);
  const first = Math.min(scroll, last);
  const more = first < last ? `↓ ${last - first} more · PgDn` : first > 0 ? "the end · PgUp" : "";
  const middle = [...fill(content.slice(first, first + shown), shown), drawRule(cols, more)];
  const page = [...head, ...(body === null ? [] : middle), ...choices];
  const lines = [...fill(page, height - foot.length), ...foot].map((line) => fit(line, cols));
  return { lines, last, page: Math.max(1, shown - 1) };
}

function drawRows(rows: readonly ScreenRow[], here: string | null, cols: number, height: number): Lines {
  const lines: string[] = [];
  let first = 0;
  for (const { id, lines: own } of rows) {
    const from = lines.length;
    if (id === undefined) lines.push(...own.flatMap((line) => wrapTextWithAnsi(line, cols)));
    else if (id !== here) lines.push(...own.map((line) => `  ${line}`));
    else {
      lines.push(...own.map((line, at) => yellow(`${at === 0 ? "❯" : " "} ${line}`)));
      first = Math.max(0, Math.min(from, lines.length - height));
    }
  }
  return lines.slice(first, first + height);
}

function fill(lines: Lines, height: number): string[] {
  return Array.from({ length: Math.max(0, height) }, (_, at) => lines[at] ?? "");
}

function fit(line: string, cols: number): string {
  return truncateToWidth(line.replace(/[\t\n]/g, " "), cols, "…");
}

function drawRule(cols: number, said: string): string {
  return dim(`──${said && ` ${said} `}${"─".repeat(cols)}`.slice(0, cols));
}

/** At most `max` lines; the last one is too long if text was cut. */
function wrapWords(text: string, cols: number, max: number): Lines {
  if (text === "") return [];
  const lines = wrapTextWithAnsi(text.replace(/\s/g, " "), cols);
  return lines.length <= max ? lines : [...lines.slice(0, max - 1), lines.slice(max - 1).join(" ")];
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
/** Each of these characters has width 1, so a long log need not be measured. */
const PLAIN = /^[\x20-\x7e]+$/;

export function wrapText(text: string, cols: number): Lines {
  return text
    .replaceAll("\t", "→   ")
    .split("\n")
    .flatMap((line) => wrapLine(line, Math.max(1, cols)));
}

function wrapLine(line: string, cols: number): Lines {
  if (PLAIN.test(line)) return line.match(new RegExp(`.{1,${cols}}`, "g")) ?? [];
  const rows: string[] = [];
  let row = "";
  let width = 0;
  for (const { segment } of graphemes.segment(line)) {
    const needs = visibleWidth(segment);
    if (width + needs > cols && row !== "") {
      rows.push(row);
      [row, width] = ["", 0];
    }
    row += segment;
    width += needs;
  }
  return [...rows, row];
}

let wrapped: { readonly text: string; readonly cols: number; readonly lines: Lines } | null = null;

/** Cached, because every key redraws it. */
function wrapBody(text: string, cols: number): Lines {
  if (wrapped?.text !== text || wrapped.cols !== cols) wrapped = { text, cols, lines: wrapText(text, cols) };
  return wrapped.lines;
}

/** Hints are written `key:effect`. Without room for all, only the keys are named. */
function drawHints(hints: Lines, cols: number): string {
  const full = hints.join(" · ").replaceAll(":", " ");
  return dim(full.length <= cols ? full : hints.map((hint) => hint.replace(/:.*/, "")).join(" · "));
}

export function drawHeader({ prompts, sessions, paused }: WatchedHub, problem: string | null): string {
  const facts = `${formatCount(prompts.length, "prompt")} · ${formatCount(sessions.length, "session")}`;
  const name = inverse(bold(" AtlasBridge ")) + (paused ? red(" PAUSED") : "");
  return `${name} ${problem === null ? facts : "waiting for a hub"}`;
}

export function buildList(
  hub: WatchedHub,
  problem: string | null,
  outcomes: readonly PromptOutcome[],
  now: number,
): ScreenRow[] {
  const { prompts, sessions, unanswered } = hub;
  const asked = prompts.map((prompt) => ({
    id: prompt.promptId,
    lines: [describePrompt(prompt, hub, now), `    ${describeSubject(prompt)}`],
  }));
  const running = sessions.map((each) => ({ id: each.sessionId, lines: [formatSessionLine(each, now)] }));
  const recent = outcomes.map(({ promptId, shortId, text, again }) =>
    again ? { id: promptId, lines: [`🔁 ${shortId} ${text}`] } : { lines: [`  ${shortId} ${text}`] },
  );
  const none = problem === null ? describeNoOpenPrompts(unanswered, sessions) : `Waiting: ${problem}.`;
  const section = (name: string, rows: readonly ScreenRow[]): ScreenRow[] =>
    rows.length === 0 ? [] : [{ lines: [bold(name)] }, ...rows, { lines: [""] }];
  return [
    ...section("Questions", asked.length > 0 ? asked : [{ lines: [dim(none)] }]),
    ...section("Sessions", running),
    ...section("Recent", recent),
  ];
}

/** The command comes first, because the row is cut at its end. */
function describeSubject({ safetyClass, excerpt, content, details }: WatchedPrompt): string {
  const form = details.constraints.form ?? null;
  const subject = formatSubject({ safetyClass, question: excerpt, content, form });
  const [question = ""] = excerpt.split("\n");
  return subject === question || form !== null ? subject : `${subject}  (${question})`;
}

export function describePrompt(prompt: WatchedPrompt, { sessions }: WatchedHub, now: number): string {
  const label = sessions.find(({ sessionId }) => sessionId === prompt.sessionId)?.label ?? null;
  return formatPromptLine({ ...prompt, tool: prompt.tool + (label === null ? "" : ` (${label})`) }, now);
}

/** A label is never truncated, because it says what the choice does. The id is the row's index. */
export function buildAnswerRows(
  rows: readonly AnswerRow[],
  ticked: readonly number[],
  cols: number,
): ScreenRow[] {
  return rows.map(({ digit = " ", ticks, value, label, detail = "", always }, at) => {
    const head = `${digit} ${ticks ? (ticked.includes(Number(value)) ? "[x] " : "[ ] ") : ""}`;
    const indent = " ".repeat(head.length);
    const wrap = (text: string): Lines => wrapText(text, cols - 2 - head.length);
    const labels = wrap(label).map((line, index) => (index === 0 ? head : indent) + line);
    const details = detail === "" ? [] : wrap(detail).map((line) => dim(indent + line));
    return { id: String(at), lines: [...(always ? labels.map(red) : labels), ...details] };
  });
}
