/** Finds the tool's input box on the screen, and whether it is empty. Pure. */
import type { Candidate } from "../../sdk/candidate.js";
import type { View } from "../../sdk/view.js";
import type { CompiledAdapter, Composer } from "../adapter-format/compiled/compiled.js";
import { computeFingerprint } from "./layout/fingerprint.js";
import { readInsideFrame } from "./layout/frame.js";
import { type FrameKind } from "../adapter-format/frame-kinds.js";
import { isFaint, readRuns } from "./layout/text-style.js";
import {
  isBlank,
  findLastDrawn,
  toPage,
  readSize,
  readStyle,
  readTextAt,
  type Page,
} from "./layout/layout.js";
import { matches, findMatch } from "../adapter-format/pattern.js";

const NAME = "composer";
const FINGERPRINT = computeFingerprint({ rule: NAME, question: "", choices: [], drawn: "" });

/** Null when no box is drawn. `field.text` is empty only where the box is certainly empty, apart from a suggestion of the tool. */
export function findComposer({ composer }: Pick<CompiledAdapter, "composer">, view: View): Candidate | null {
  if (composer === null || view.unfollowed) return null;
  const page = toPage(view);
  const box =
    composer.frame === null ? findOpenBox(composer, page) : findFramedBox(composer, page, composer.frame);
  if (box === null) return null;
  const { first, last, isEmpty } = box;
  const rows = page.rows.slice(first, last + 1);
  const text = isEmpty ? "" : rows.map((each) => each.text).join("\n");
  return {
    rule: NAME,
    shape: NAME,
    promptType: "free_text",
    safetyClass: "question",
    score: 1,
    question: "",
    choices: [],
    highlighted: null,
    constraints: { multiline: true },
    content: { text: "", cut: null },
    drawn: "",
    listed: "",
    size: readSize(page),
    region: { top: page.rows[first]?.first ?? 0, bottom: page.rows[last]?.last ?? 0 },
    fingerprint: FINGERPRINT,
    textEntry: "paste",
    field: { text },
    committingKeys: [],
    endsTool: [],
  };
}

/** The text in the box, without its mark, as people read it; empty only if the box certainly is. */
export function readDraft(composer: Composer, candidate: Candidate): string {
  const [first = "", ...others] = (candidate.field?.text ?? "").split("\n");
  const begins = findMatch(composer.row, first)?.[0].length ?? 0;
  return [first.slice(begins), ...others]
    .map((row) => row.trim())
    .join("\n")
    .trim();
}

interface Box {
  readonly first: number;
  readonly last: number;
  readonly isEmpty: boolean;
}

/** A box without a frame: it begins at its mark and ends above the row that matches `below`. */
function findOpenBox(composer: Composer, page: Page): Box | null {
  const first = page.rows.findLastIndex(({ text }) => matches(composer.row, text));
  const end = page.rows.findLastIndex(
    ({ text }, at) => at > first && at <= findLastDrawn(page) && matches(composer.below, text),
  );
  if (first < 0 || end < 0) return null;
  const isSingle = matches(composer.below, readTextAt(page, first + 1));
  return { first, last: end - 1, isEmpty: isSingle && isEmptyAt(composer, page, first) };
}

/** The text of a framed box stands between two blank rows. While somebody types, completions may take the place of the upper one. */
function findFramedBox(composer: Composer, page: Page, frame: FrameKind): Box | null {
  const inside = readInsideFrame(page, frame);
  if (!inside?.inside) return null;
  const { top } = inside.inside;
  const end = inside.rows.findLastIndex(({ text }, at) => at > top && matches(composer.below, text));
  const [first, last] = [top + 1, end - 2];
  if (last < first) return null;
  const isPadded = isBlank(readTextAt(inside, top)) && isBlank(readTextAt(inside, end - 1));
  const further = page.rows.slice(first + 1, last + 1).map((_, at) => first + 1 + at);
  const isSuggested = further.every((row) =>
    isSuggestion(composer, page, row, findTextColumn(composer, page, row)),
  );
  return { first, last, isEmpty: isPadded && isSuggested && isEmptyAt(composer, page, first) };
}

/**
 * A plain text begins with a letter or a digit, a quotation mark, a bracket or a dash. Any other first character may start a command
 * in some version of the tool, so it is taken for one.
 */
const BEGINS_AS_WORDS = /^[\p{L}\p{N}\p{Ps}\p{Pi}\p{Pd}"'`¿¡]/u;

/**
 * Whether the tool would run this text as a command of its own (`/quit`, `!rm`, a bare `exit`) instead of reading it as a task. It
 * would run it without a prompt, so such a text is never typed. False where the tool has no input box (`commands` is null).
 */
export function isCommand({ commands }: Pick<CompiledAdapter, "commands">, text: string): boolean {
  const words = text.trim();
  if (commands === null || words === "") return false;
  return !BEGINS_AS_WORDS.test(words) || commands.includes(words.toLowerCase());
}

/** The cursor, the terminal's or one that the tool draws, is at the beginning of the text, and nothing or only a suggestion follows it. */
function isEmptyAt(composer: Composer, page: Page, row: number): boolean {
  const begins = findTextColumn(composer, page, row);
  const { cursor } = page;
  const isThere = cursor.row === row && cursor.column === begins;
  const isDrawn = readStyle(page, row, begins)?.inverse === true;
  if (!(cursor.visible ? isThere : isDrawn)) return false;
  const rest = readTextAt(page, row).slice(begins);
  return isBlank(rest) || isSuggestion(composer, page, row, begins);
}

/** An empty row is padded up to the cursor first: its trailing blanks were trimmed, and the pattern needs them. */
function findTextColumn({ row: mark }: Composer, page: Page, row: number): number {
  const { cursor } = page;
  const text = readTextAt(page, row);
  const drawn = cursor.row === row ? text.padEnd(cursor.column) : text;
  return findMatch(mark, drawn)?.[0].length ?? 0;
}

/** Faint text behind the first character is a suggestion; the cursor may be on that character. A single character was typed by a person. */
function isSuggestion({ faint }: Composer, page: Page, row: number, begins: number): boolean {
  const behind = readRuns(page, row).filter(({ end, text }) => end > begins + 1 && !isBlank(text));
  const own = behind.filter(({ start }) => start >= begins);
  // A run that begins before the text mixes it with something else, so it proves nothing.
  return (
    own.length > 0 &&
    behind.length === own.length &&
    own.every(
      ({ style }) =>
        isFaint(style) || (typeof style.foreground === "number" && faint.includes(style.foreground)),
    )
  );
}
