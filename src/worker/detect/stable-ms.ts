/** How long a candidate must be still before it counts: as short as what is known of it allows. Pure. */
import { CONFIDENCE_FLOOR } from "../../model/prompt.js";
import type { Candidate } from "../../sdk/candidate.js";
import type { Signals, View } from "../../sdk/view.js";
import type { Shape } from "./adapter-file.js";
import type { CompiledRule, Fitting } from "./compiled.js";

/** A program that prints `Continue? ` and works on looks just like one that asks; without proof it gets more time to go on. */
const UNPROVEN_LINE_STABLE_MS = 250;
/** Where the wording is weak, too (`name: `), even more. */
const UNPROVEN_WEAK_STABLE_MS = 500;

/** Longer than any reading of the tty takes. */
const FACTS_DUE_STABLE_MS = 2000;

export function stableMsOf(rule: CompiledRule, candidate: Candidate, view: View, signals: Signals): number {
  const { blockedOnRead, canonical, ttyDue } = signals;
  const isDrawn = isDialog(rule.shape);
  const stableMs = isDrawn ? drawnStableMs(rule, candidate, view) : rule.stableMs;
  const isUnproven = isDrawn ? rule.tty !== null && canonical === undefined : blockedOnRead !== true;
  if (!isUnproven) return stableMs;
  if (ttyDue) return Math.max(stableMs, FACTS_DUE_STABLE_MS);
  const isStrong = rule.score >= CONFIDENCE_FLOOR.high;
  return Math.max(stableMs, isStrong ? UNPROVEN_LINE_STABLE_MS : UNPROVEN_WEAK_STABLE_MS);
}

const DIALOGS: ReadonlySet<Shape> = new Set<Shape>([
  "list",
  "check_list",
  "radio_list",
  "buttons",
  "field",
  "page",
  "confirm",
]);

function isDialog(shape: Shape): boolean {
  return DIALOGS.has(shape);
}

function drawnStableMs({ stableMs, fitting }: CompiledRule, candidate: Candidate, view: View): number {
  return fitting ? Math.max(stableMs, fittingStableMs(fitting, candidate, view)) : stableMs;
}

/** Rows are said to be left out though there is room for them: the tool has not measured yet, however long that takes it. */
const UNMEASURED_STABLE_MS = 1000;

/** A tool that may be about to measure what it drew: until then a dialog can lack rows, and nothing tells of them. */
function fittingStableMs({ stableMs, freeRows, gap }: Fitting, candidate: Candidate, view: View): number {
  const { region, content, choices } = candidate;
  const isFull = freeRows !== null && region.bottom - region.top + 1 >= view.lines.length - freeRows;
  if (isFull) return stableMs;
  if (content.cut === null) return 0;
  if (freeRows !== null && content.cut.missing !== undefined) return UNMEASURED_STABLE_MS;
  return gap === null || blankRowsAbove(view, choices[0]?.firstRow ?? 0) > gap ? stableMs : 0;
}

/** Beside a gutter, a frame's side or a scroll bar a row is blank, too. */
const DRAWN_ONLY = /^[\s│┃║|█▀▄]*$/u;

function blankRowsAbove({ lines }: View, row: number): number {
  let above = row - 1;
  while (above >= 0 && DRAWN_ONLY.test(lines[above]?.text ?? "")) above--;
  return row - 1 - above;
}
