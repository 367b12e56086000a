/** The box in which a person tells the tool what to do next, as the screen shows it now. Pure. */
import type { Candidate } from "../../sdk/candidate.js";
import type { View } from "../../sdk/view.js";
import type { CompiledAdapter, Composer } from "../adapter-format/compiled/compiled.js";
import { fingerprintOf } from "./layout/fingerprint.js";
import { insideFrame } from "./layout/frame.js";
import { type FrameKind } from "../adapter-format/frame-kinds.js";
import { isFaint, runsOf } from "./layout/ink.js";
import { isBlank, lastDrawn, pageOf, sizeOf, styleAt, textAt, type Page } from "./layout/layout.js";
import { matches, matchOf } from "../adapter-format/pattern.js";

const NAME = "composer";
const FINGERPRINT = fingerprintOf({ rule: NAME, question: "", choices: [], drawn: "" });

/** Null when no box is drawn. `field.text` is empty only where nothing stands in it for sure: what the tool suggests there is nothing. */
export function findComposer({ composer }: Pick<CompiledAdapter, "composer">, view: View): Candidate | null {
  if (composer === null || view.unfollowed) return null;
  const page = pageOf(view);
  const box = composer.frame === null ? openBox(composer, page) : framedBox(composer, page, composer.frame);
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
    size: sizeOf(page),
    region: { top: page.rows[first]?.first ?? 0, bottom: page.rows[last]?.last ?? 0 },
    fingerprint: FINGERPRINT,
    textEntry: "paste",
    field: { text },
    committingKeys: [],
    endsTool: [],
  };
}

interface Box {
  /** Rows of its text. */
  readonly first: number;
  readonly last: number;
  readonly isEmpty: boolean;
}

/** Known by its mark, and by what stands below it. */
function openBox(composer: Composer, page: Page): Box | null {
  const first = page.rows.findLastIndex(({ text }) => matches(composer.row, text));
  const end = page.rows.findLastIndex(
    ({ text }, at) => at > first && at <= lastDrawn(page) && matches(composer.below, text),
  );
  if (first < 0 || end < 0) return null;
  const isSingle = matches(composer.below, textAt(page, first + 1));
  return { first, last: end - 1, isEmpty: isSingle && holdsNothing(composer, page, first) };
}

/** In the lowest frame, between two blank rows. What a tool offers while something is typed takes the place of the upper one. */
function framedBox(composer: Composer, page: Page, frame: FrameKind): Box | null {
  const inside = insideFrame(page, frame);
  if (!inside?.inside) return null;
  const { top } = inside.inside;
  const end = inside.rows.findLastIndex(({ text }, at) => at > top && matches(composer.below, text));
  const [first, last] = [top + 1, end - 2];
  if (last < first) return null;
  const isPadded = isBlank(textAt(inside, top)) && isBlank(textAt(inside, end - 1));
  const further = page.rows.slice(first + 1, last + 1).map((_, at) => first + 1 + at);
  const isSuggested = further.every((row) => isSuggestion(composer, page, row, beginOf(composer, page, row)));
  return { first, last, isEmpty: isPadded && isSuggested && holdsNothing(composer, page, first) };
}

/**
 * How words begin: with a letter or a digit, a quotation mark, a bracket, a dash. What else a version takes for a command is not
 * known to an adapter that was written before it.
 */
const BEGINS_AS_WORDS = /^[\p{L}\p{N}\p{Ps}\p{Pi}\p{Pd}"'`¿¡]/u;

/**
 * The tool would not read this as words: nobody is asked before `/quit` or `!rm` is done, or before a bare `exit` ends it. Blanks
 * around it do not help. The one rule for all that goes into an input box; false where the tool has none (`commands` null).
 */
export function isCommand({ commands }: Pick<CompiledAdapter, "commands">, text: string): boolean {
  const words = text.trim();
  if (commands === null || words === "") return false;
  return !BEGINS_AS_WORDS.test(words) || commands.includes(words.toLowerCase());
}

/** The cursor, the terminal's or one that the tool draws, stands at its beginning, and behind it is nothing, or a suggestion. */
function holdsNothing(composer: Composer, page: Page, row: number): boolean {
  const begins = beginOf(composer, page, row);
  const { cursor } = page;
  const isThere = cursor.row === row && cursor.column === begins;
  const isDrawn = styleAt(page, row, begins)?.inverse === true;
  if (!(cursor.visible ? isThere : isDrawn)) return false;
  const rest = textAt(page, row).slice(begins);
  return isBlank(rest) || isSuggestion(composer, page, row, begins);
}

/** Behind the frame's side the blanks of an empty row are trimmed. */
function beginOf({ row: mark }: Composer, page: Page, row: number): number {
  const { cursor } = page;
  const text = textAt(page, row);
  const drawn = cursor.row === row ? text.padEnd(cursor.column) : text;
  return matchOf(mark, drawn)?.[0].length ?? 0;
}

/** Faint behind its first character, on which the cursor may stand. A single character is somebody's. */
function isSuggestion({ faint }: Composer, page: Page, row: number, begins: number): boolean {
  const behind = runsOf(page, row).filter(({ end, text }) => end > begins + 1 && !isBlank(text));
  const own = behind.filter(({ start }) => start >= begins);
  // A run that goes on behind the first character began with it, or before it: then all of it must be faint.
  return (
    own.length > 0 &&
    behind.length === own.length &&
    own.every(
      ({ style }) =>
        isFaint(style) || (typeof style.foreground === "number" && faint.includes(style.foreground)),
    )
  );
}
