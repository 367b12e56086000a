/**
 * Decides whether a dialog on the screen belongs to a hook call (ADR 13): its visible command or path must agree word for word. In
 * doubt it does not.
 */
import { resolve } from "node:path/posix";
import type { SafetyClass } from "../../model/prompt.js";
import type { Candidate } from "../../sdk/candidate.js";
import type { ToolCallRequest } from "./tool-call-request.js";
import type { AskedQuestion } from "./content/request-questions.js";
import { normalizeForCompare } from "../detection/layout/fingerprint.js";
import { isUnrecognized } from "../detection/matchers/unrecognized-screen.js";
import { toText, type Json } from "../../model/data/json.js";
import { isContinuedBy, measureIndent } from "../detection/layout/layout.js";
import { matches, findMatch } from "../adapter-format/pattern.js";

/** The kinds of prompts that calls make; other dialogs (start, trust, login) have no call. */
const ASKED_BY_CALLS: readonly SafetyClass[] = ["permission", "question", "plan"];
/** Non-blank characters: shorter pieces occur in any text. */
const PIECE_MIN = 12;
const NOTHING = "\u0000";
/** Columns that dialogs leave free on the left and content does not keep. */
const CONTENT_INDENT_MAX = 2;
/** A longer value may be shown by a dialog in part or not at all. */
const VALUE_MAX = 200;

export function isAskedByCalls({ promptType, safetyClass }: Candidate): boolean {
  return promptType === "unknown" || ASKED_BY_CALLS.includes(safetyClass);
}

export type VisibleCall = Pick<ToolCallRequest, "questions" | "drawn" | "input" | "content">;

export function matchesCall(dialog: Candidate, call: VisibleCall): boolean {
  // No rule describes the dialog; the call tells that something is asked.
  return isUnrecognized(dialog) || showsCall(dialog, call);
}

function showsCall(dialog: Candidate, call: VisibleCall): boolean {
  if (!isAskedByCalls(dialog)) return false;
  if (call.questions.length > 0) return asksOneQuestion(dialog, call.questions);
  switch (call.drawn.by) {
    case "part":
      return hasPart(dialog, normalizeForCompare(fillTemplate(call.drawn.text, call.input)));
    case "path":
      return showsPath(dialog, fillTemplate(call.drawn.text, call.input), call.content.call?.cwd);
    case "lines":
      return showsLines(dialog, normalizeProse(fillTemplate(call.drawn.text, call.input)), call.drawn.beside);
    case "rows":
      return showsRows(dialog, normalizeForCompare(fillTemplate(call.drawn.text, call.input)), call.drawn);
    case "text":
      return normalizeForCompare(dialog.content.text).includes(
        normalizeForCompare(fillTemplate(call.drawn.text, call.input)) || NOTHING,
      );
    case "values":
      return showsValues(dialog, call);
  }
}

/**
 * Whether the content that a call previewed may replace what a dialog does not show. Stricter, because keys will answer it: an
 * unreadable dialog matches only by its text.
 */
export function matchesPreview(dialog: Candidate, call: ToolCallRequest): boolean {
  return (dialog.promptType !== "unknown" || call.drawn.by === "text") && showsCall(dialog, call);
}

/** One of its pages, or the page on which all are reviewed. */
function asksOneQuestion(dialog: Candidate, questions: readonly AskedQuestion[]): boolean {
  const shown = normalizeForCompare(dialog.content.text);
  const page = questions.find(
    ({ question }) => normalizeForCompare(question) === normalizeForCompare(dialog.question),
  );
  const rows = dialog.choices.map(({ label }) => normalizeForCompare(label));
  if (page) return page.options.every(({ label }) => rows.includes(normalizeForCompare(label)));
  return questions.every(({ question }) => shown.includes(normalizeForCompare(question)));
}

function fillTemplate(template: string, input: Json): string {
  return template.replace(/\{(\w{1,64})\}/g, (_, name: string) => toText(input[name]) ?? "");
}

/** For a dialog that is cut, the visible end or beginning is enough. */
function hasPart({ parts = [], content }: Candidate, expected: string): boolean {
  const shown = parts.map(normalizeForCompare);
  if (expected === "") return false;
  if (shown.includes(expected)) return true;
  if (content.cut === null) return false;
  return shown.some(
    (part) => part.length >= PIECE_MIN && (expected.endsWith(part) || expected.startsWith(part)),
  );
}

function showsPath({ content, question }: Candidate, path: string, folder: string | undefined): boolean {
  if (path === "") return false;
  const rows = content.text.split("\n").map((row) => row.trim());
  const named = rows.some((_, at) =>
    listPrefixes(rows.slice(at, at + PATH_ROWS_MAX)).some((text) => isPathEnd(text, path, folder)),
  );
  const [name = path] = path.split("/").slice(-1);
  return named || (content.cut !== null && question.includes(name));
}

/** A path is wrapped over this many rows at most, possibly in the middle of a name. */
const PATH_ROWS_MAX = 8;

function listPrefixes(rows: readonly string[]): string[] {
  return rows.map((_, at) => rows.slice(0, at + 1).join(""));
}

function isPathEnd(row: string, path: string, folder: string | undefined): boolean {
  // Outside of the folder: `../other/file.ts`.
  if (row.startsWith("../")) return folder !== undefined && resolve(folder, row) === resolve(path);
  return row !== "" && (row === path || path.endsWith(`/${row}`));
}

/** Layout adds a line or two of its own; most of the rows must be the text. */
function showsLines({ content }: Candidate, wanted: string, beside: readonly string[]): boolean {
  const rows = content.text.split("\n").filter((row) => !beside.some((pattern) => matches(pattern, row)));
  const lines = rows.map((row) => normalizeProse(row).replace(/[↓…]$/u, ""));
  const long = lines.filter((line) => line.length >= PIECE_MIN);
  const known = long.filter((line) => wanted.includes(line));
  return known.length > 0 && known.length * 2 >= long.length;
}

/** A row that is not in the text belongs to another call. */
function showsRows(
  { content, size }: Candidate,
  wanted: string,
  { beside, marks }: Extract<ToolCallRequest["drawn"], { by: "rows" }>,
): boolean {
  let found = 0;
  /** The row above, if it is not part of the call. */
  let above: string | null = null;
  for (const row of content.text.split("\n")) {
    const goesOn: boolean = above !== null && isContinuation(row, above, size.cols);
    above = goesOn || beside.some((pattern) => matches(pattern, row)) ? row : null;
    if (above !== null) continue;
    const piece = normalizeForCompare(
      marks.reduce((text, mark) => text.replace(findMatch(mark, text)?.[0] ?? "", ""), row),
    );
    if (!wanted.includes(piece)) return false;
    found += piece.length;
  }
  // A dialog that is not cut shows its whole call, so it is not part of a longer one.
  const least = content.cut === null ? wanted.length : Math.min(PIECE_MIN, wanted.length);
  return found >= least && found > 0;
}

/** Text beside a call may wrap into a second row with the same indent. */
function isContinuation(row: string, above: string, cols: number): boolean {
  const isBlock = row.trim() !== "" && measureIndent(row) === measureIndent(above);
  return isBlock && isContinuedBy(above, row, cols - CONTENT_INDENT_MAX);
}

/** Also without the marks of headings, lists and code. */
function normalizeProse(text: string): string {
  return normalizeForCompare(text).replace(/[#*_`>-]/g, "");
}

function showsValues({ content, question }: Candidate, { input, content: { call } }: VisibleCall): boolean {
  const shown = normalizeForCompare(`${content.text}\n${question}`);
  const values = Object.entries(input).filter(([, value]) => isShort(value));
  if (values.length === 0) return showsToolName(shown, call?.tool ?? "");
  // The rest of a cut dialog may show values of any call; together with their names they identify this one.
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
function showsToolName(shown: string, tool: string): boolean {
  const words = tool
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 2);
  const last = words.at(-1);
  return last !== undefined && shown.toLowerCase().includes(last);
}
