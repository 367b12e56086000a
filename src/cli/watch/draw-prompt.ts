/** Draws a prompt's page as lines: what it is, its scrollable content, and the answers. Pure. */
import type { WatchedPrompt } from "../../client/watch-hub.js";
import { describeCut } from "../../model/cut-words.js";
import { describeHidden } from "../../model/hidden.js";
import type { ListedSession } from "../../wire/listings.js";
import { describeNumber, formatExpiry } from "../format.js";
import { describeText, buildRows, type AnswerRow } from "./answers.js";
import { describeAge, describeSource } from "./draw-list.js";
import type { ListExtent } from "./keys.js";
import {
  bold,
  dim,
  fillHeight,
  fit,
  inverse,
  red,
  rule,
  computeWindowStart,
  sliceWindow,
  wrapText,
  yellow,
  type Size,
} from "./lay-out.js";
import type { WatchPage } from "./state.js";

type PromptPage = Extract<WatchPage, { kind: "prompt" }>;

export interface PromptParts {
  readonly prompt: WatchedPrompt;
  readonly page: PromptPage;
  readonly sessions: readonly ListedSession[];
  /** The input line for a text; null if none is being typed. */
  readonly input: string | null;
}

/** Lines of the prompt's question above its content; the content includes it too. */
const QUESTION_LINES_MAX = 3;

export function drawPromptPage(parts: PromptParts, size: Size, now: number): readonly string[] {
  const { head, content, height, answers } = layOut(parts, size, now);
  const first = Math.min(parts.page.scroll, computeExtent(content, height).last);
  const below = content.length - first - height;
  const more = below > 0 ? `↓ ${below} more · PgDn` : first > 0 ? "the end · PgUp" : "";
  const middle = height === 0 ? [] : fillHeight(sliceWindow(content, first, height), height);
  return fillHeight([...head, ...middle, rule(size.cols, more), ...answers], size.rows);
}

/** How far the content can be scrolled. */
export function measurePromptPage(parts: PromptParts, size: Size, now: number): ListExtent {
  const { content, height } = layOut(parts, size, now);
  return computeExtent(content, height);
}

function computeExtent(content: readonly string[], height: number): ListExtent {
  return { last: Math.max(0, content.length - height), page: Math.max(1, height - 1) };
}

interface Layout {
  readonly head: readonly string[];
  readonly content: readonly string[];
  /** Visible rows of the content. */
  readonly height: number;
  readonly answers: readonly string[];
}

function layOut(parts: PromptParts, { cols, rows }: Size, now: number): Layout {
  const { prompt, sessions } = parts;
  const asked = sliceWindow(wrapText(prompt.excerpt, cols), 0, QUESTION_LINES_MAX);
  const head = [
    titleLine(prompt, sessions, cols),
    ...asked.map(bold),
    drawFacts(prompt, cols, now),
    rule(cols),
  ];
  // One line between the two.
  const room = Math.max(0, rows - head.length - 1);
  const answers = answerLines(parts, cols, Math.max(1, Math.ceil(room / 2)));
  return { head, content: drawContent(prompt, cols), height: Math.max(0, room - answers.length), answers };
}

function titleLine(prompt: WatchedPrompt, sessions: readonly ListedSession[], cols: number): string {
  return fit(
    inverse(` ${prompt.shortId} `) + ` ${describeSource(prompt, sessions)} · ${prompt.safetyClass}`,
    cols,
  );
}

function drawFacts(prompt: WatchedPrompt, cols: number, now: number): string {
  const { state, confidence } = prompt;
  const facts = [
    describeAge(prompt, now),
    ...(state === "pending" ? [] : [state]),
    ...(confidence === "high" ? [] : [`confidence ${confidence}`]),
    ...formatExpiry(prompt, now),
  ];
  return dim(fit(facts.join(" · "), cols));
}

function drawContent({ content, excerpt, number }: WatchedPrompt, cols: number): readonly string[] {
  const { text, cut, hidden } = content;
  const shown = text === excerpt || text === "" ? [] : wrapOnce(text, cols);
  const notes = [...(cut ? [describeCut(cut)] : []), ...(hidden ? [describeHidden(hidden)] : [])];
  const told = number === undefined ? [] : wrapText(describeNumber(number), cols);
  return [...told, ...shown, ...notes.flatMap((note) => wrapText(`✂ ${note}`, cols)).map(yellow)];
}

let wrapped: { readonly text: string; readonly cols: number; readonly lines: readonly string[] } | null =
  null;

/** Cached, because wrapping a megabyte of content takes a second and every key redraws it. */
function wrapOnce(text: string, cols: number): readonly string[] {
  if (wrapped?.text !== text || wrapped.cols !== cols) wrapped = { text, cols, lines: wrapText(text, cols) };
  return wrapped.lines;
}

function answerLines(parts: PromptParts, cols: number, max: number): readonly string[] {
  const { prompt, page, input } = parts;
  if (page.entry && input !== null) {
    const asked = describeText(prompt, page.entry.row, page.entry.texts.length).flatMap((line) =>
      wrapText(line, cols),
    );
    return [...sliceWindow(asked, 0, Math.max(0, max - 1)), input];
  }
  const rows = buildRows(prompt);
  if (rows.length === 0) return [fit(yellow("Secrets are answered only at the tool's own terminal."), cols)];
  const drawn = rows.map((row, at) => drawRow(row, page, at === page.row, cols));
  const from = drawn.slice(0, Math.max(0, page.row)).reduce((sum, lines) => sum + lines.length, 0);
  const to = from + (drawn[page.row]?.length ?? 1) - 1;
  return sliceWindow(drawn.flat(), computeWindowStart(from, to, max), max);
}

const PAINT: Readonly<Record<AnswerRow["tone"], (text: string) => string>> = {
  plain: (text) => text,
  no: (text) => text,
  always: red,
};

/** Labels are never truncated, because a choice does what its label says. */
function drawRow(row: AnswerRow, page: PromptPage, isHere: boolean, cols: number): readonly string[] {
  const box = row.ticks ? (page.ticked.includes(Number(row.value)) ? "[x] " : "[ ] ") : "";
  const head = `${isHere ? "❯" : " "} ${row.digit.padEnd(1)} ${box}`;
  const indent = " ".repeat(head.length);
  const own = row.isDefault ? `${row.label} (the tool's default)` : row.label;
  const label = wrapText(own, cols - head.length).map((line, at) => `${at === 0 ? head : indent}${line}`);
  const painted = label.map(PAINT[row.tone]).map((line) => (isHere ? bold(line) : line));
  const detail =
    row.detail === null ? [] : wrapText(row.detail, cols - head.length).map((line) => dim(indent + line));
  return [...painted, ...detail];
}
