/**
 * Whether a dialog on the screen is the drawing of a call (ADR 13): the visible command or path must agree, word for word as far
 * as it is visible. In doubt it is another question, and is asked by itself. Pure.
 */
import type { SafetyClass } from "../../model/prompt.js";
import type { Candidate } from "../../sdk/candidate.js";
import type { ToolCallRequest } from "./tool-call-request.js";
import type { AskedQuestion } from "./content/request-questions.js";
import { normalizeForCompare } from "../detection/layout/fingerprint.js";
import { isUnrecognized } from "../detection/matchers/unrecognized-screen.js";
import { toText, type Json } from "../../model/data/json.js";
import { isContinuedBy, indentOf } from "../detection/layout/layout.js";
import { matches, matchOf } from "../adapter-format/pattern.js";

/** What calls ask; the other dialogs (start, trust, login) have no call behind them. */
const ASKED_BY_CALLS: readonly SafetyClass[] = ["permission", "question", "plan"];
/** Blank-free characters: shorter pieces stand in anything. */
const PIECE_MIN = 12;
/** Stands in no dialog: an input without the field agrees with none. */
const NOTHING = "\u0000";
/** Columns that dialogs leave free on the left, and content does not show. */
const CONTENT_INDENT_MAX = 2;
/** Of a value that is longer a dialog may show as little as it likes. */
const VALUE_MAX = 200;

export function isAskedByCalls({ promptType, safetyClass }: Candidate): boolean {
  return promptType === "unknown" || ASKED_BY_CALLS.includes(safetyClass);
}

/** What is known of a call that can be seen on a screen. */
export type Drawing = Pick<ToolCallRequest, "questions" | "drawn" | "input" | "content">;

export function matchesCall(dialog: Candidate, ask: Drawing): boolean {
  // No rule describes it; that something is asked is known from the call.
  return isUnrecognized(dialog) || showsCall(dialog, ask);
}

function showsCall(dialog: Candidate, ask: Drawing): boolean {
  if (!isAskedByCalls(dialog)) return false;
  if (ask.questions.length > 0) return asksOneOf(dialog, ask.questions);
  switch (ask.drawn.by) {
    case "part":
      return hasPart(dialog, normalizeForCompare(filled(ask.drawn.text, ask.input)));
    case "path":
      return namesPath(dialog, filled(ask.drawn.text, ask.input));
    case "lines":
      return linesStandIn(dialog, proseBones(filled(ask.drawn.text, ask.input)), ask.drawn.beside);
    case "rows":
      return rowsStandIn(dialog, normalizeForCompare(filled(ask.drawn.text, ask.input)), ask.drawn);
    case "text":
      return normalizeForCompare(dialog.content.text).includes(
        normalizeForCompare(filled(ask.drawn.text, ask.input)) || NOTHING,
      );
    case "values":
      return holdsValues(dialog, ask);
  }
}

/**
 * Whether what a call told may stand for what a dialog does not show. Stricter: keys will answer it, so a dialog that nobody can read
 * agrees only by its text.
 */
export function drawsTold(dialog: Candidate, ask: ToolCallRequest): boolean {
  return (dialog.promptType !== "unknown" || ask.drawn.by === "text") && showsCall(dialog, ask);
}

/** One of its pages, or the page on which all are reviewed. */
function asksOneOf(dialog: Candidate, questions: readonly AskedQuestion[]): boolean {
  const shown = normalizeForCompare(dialog.content.text);
  const page = questions.find(
    ({ question }) => normalizeForCompare(question) === normalizeForCompare(dialog.question),
  );
  const rows = dialog.choices.map(({ label }) => normalizeForCompare(label));
  if (page) return page.options.every(({ label }) => rows.includes(normalizeForCompare(label)));
  return questions.every(({ question }) => shown.includes(normalizeForCompare(question)));
}

/** `{command}` → the input's own text. */
function filled(template: string, input: Json): string {
  return template.replace(/\{(\w{1,64})\}/g, (_, name: string) => toText(input[name]) ?? "");
}

/** Of a dialog that is cut the visible end, or beginning, has to do. */
function hasPart({ parts = [], content }: Candidate, wanted: string): boolean {
  const shown = parts.map(normalizeForCompare);
  if (wanted === "") return false;
  if (shown.includes(wanted)) return true;
  if (content.cut === null) return false;
  return shown.some((part) => part.length >= PIECE_MIN && (wanted.endsWith(part) || wanted.startsWith(part)));
}

function namesPath({ content, question }: Candidate, path: string): boolean {
  if (path === "") return false;
  const rows = content.text.split("\n").map((row) => row.trim());
  const named = rows.some((_, at) =>
    startsOf(rows.slice(at, at + PATH_ROWS_MAX)).some((text) => isEndOf(text, path)),
  );
  const [name = path] = path.split("/").slice(-1);
  return named || (content.cut !== null && question.includes(name));
}

/** A path is broken over so many rows at most, in the middle of a name. */
const PATH_ROWS_MAX = 8;

/** The first row, the first two, the first three … put together. */
function startsOf(rows: readonly string[]): string[] {
  return rows.map((_, at) => rows.slice(0, at + 1).join(""));
}

function isEndOf(row: string, path: string): boolean {
  return row !== "" && (row === path || path.endsWith(`/${row}`));
}

/** Layout adds a line or two of its own; most of what stands there must be the text. */
function linesStandIn({ content }: Candidate, wanted: string, beside: readonly string[]): boolean {
  const rows = content.text.split("\n").filter((row) => !beside.some((pattern) => matches(pattern, row)));
  const lines = rows.map((row) => proseBones(row).replace(/[↓…]$/u, ""));
  const long = lines.filter((line) => line.length >= PIECE_MIN);
  const known = long.filter((line) => wanted.includes(line));
  return known.length > 0 && known.length * 2 >= long.length;
}

/** A row that the text does not hold belongs to another call. */
function rowsStandIn(
  { content, size }: Candidate,
  wanted: string,
  { beside, marks }: Extract<ToolCallRequest["drawn"], { by: "rows" }>,
): boolean {
  let found = 0;
  /** The row above, where it is none of the call's. */
  let above: string | null = null;
  for (const row of content.text.split("\n")) {
    const goesOn: boolean = above !== null && goesOnIn(row, above, size.cols);
    above = goesOn || beside.some((pattern) => matches(pattern, row)) ? row : null;
    if (above !== null) continue;
    const piece = normalizeForCompare(
      marks.reduce((text, mark) => text.replace(matchOf(mark, text)?.[0] ?? "", ""), row),
    );
    if (!wanted.includes(piece)) return false;
    found += piece.length;
  }
  // A dialog that shows all of its call shows no part of a longer one.
  const least = content.cut === null ? wanted.length : Math.min(PIECE_MIN, wanted.length);
  return found >= least && found > 0;
}

/** What a tool says beside a call may need a second row, which begins where the first one did. */
function goesOnIn(row: string, above: string, cols: number): boolean {
  const isBlock = row.trim() !== "" && indentOf(row) === indentOf(above);
  return isBlock && isContinuedBy(above, row, cols - CONTENT_INDENT_MAX);
}

/** Also without what marks headings, lists and code. */
function proseBones(text: string): string {
  return normalizeForCompare(text).replace(/[#*_`>-]/g, "");
}

function holdsValues({ content, question }: Candidate, { input, content: { call } }: Drawing): boolean {
  const shown = normalizeForCompare(`${content.text}\n${question}`);
  const values = Object.entries(input).filter(([, value]) => isShort(value));
  if (values.length === 0) return namesTool(shown, call?.tool ?? "");
  // What is left of a dialog that is cut holds anybody's values; with their names they are these.
  if (content.cut !== null)
    return values.some(([name, value]) =>
      shown.includes(normalizeForCompare(`${name}: ${JSON.stringify(value)}`)),
    );
  return values.every(([, value]) => shown.includes(normalizeForCompare(String(value))));
}

function isShort(value: unknown): boolean {
  if (typeof value === "string") return value.length <= VALUE_MAX;
  return typeof value === "number" || typeof value === "boolean";
}

/** `mcp__ops__deploy` is drawn as `ops — Deploy`. */
function namesTool(shown: string, tool: string): boolean {
  const words = tool
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 2);
  const last = words.at(-1);
  return last !== undefined && shown.toLowerCase().includes(last);
}
