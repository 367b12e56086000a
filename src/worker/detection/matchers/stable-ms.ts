/** How long a candidate must be still before it counts: as short as what is known of it allows. Pure. */
import { CONFIDENCE_FLOOR } from "../../../model/prompt.js";
import type { Candidate } from "../../../sdk/candidate.js";
import type { Signals, View } from "../../../sdk/view.js";
import type { Shape } from "../../adapter-format/adapter-file.js";
import type { CompiledRule, Fitting } from "../../adapter-format/compiled/compiled.js";
import { matches } from "../../adapter-format/pattern.js";

/** A program that prints `Continue? ` and works on looks just like one that asks; without proof it gets more time to go on. */
const UNPROVEN_LINE_STABLE_MS = 250;
/** Where the wording is weak, too (`name: `), even more. */
const UNPROVEN_WEAK_STABLE_MS = 500;

/** Longer than any reading of the tty takes. */
const FACTS_DUE_STABLE_MS = 2000;

/** `isRefitted`: the tool was seen to correct this dialog at its full height. */
export function stableMsOf(
  rule: CompiledRule,
  candidate: Candidate,
  { view, signals, isRefitted }: { view: View; signals: Signals; isRefitted: boolean },
): number {
  const { blockedOnRead, canonical, ttyDue } = signals;
  const isDrawn = isDialog(rule.shape);
  const stableMs = isDrawn ? drawnStableMs(rule, candidate, { view, isRefitted }) : rule.stableMs;
  const isUnproven = wantsFacts(rule) && (isDrawn ? canonical === undefined : blockedOnRead !== true);
  if (!isUnproven) return stableMs;
  if (ttyDue) return Math.max(stableMs, FACTS_DUE_STABLE_MS);
  const isStrong = rule.score >= CONFIDENCE_FLOOR.high;
  return Math.max(stableMs, isStrong ? UNPROVEN_LINE_STABLE_MS : UNPROVEN_WEAK_STABLE_MS);
}

/** Whether what the kernel knows of the terminal makes its wait shorter. */
export function wantsFacts({ shape, tty }: Pick<CompiledRule, "shape" | "tty">): boolean {
  return !isDialog(shape) || tty !== null;
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

interface Drawn {
  readonly view: View;
  readonly isRefitted: boolean;
}

function drawnStableMs(rule: CompiledRule, candidate: Candidate, drawn: Drawn): number {
  const { stableMs, bareMs, fitting } = rule;
  const barest = Math.max(stableMs, candidate.isBare ? (bareMs ?? 0) : 0);
  return fitting ? Math.max(barest, fittingStableMs(fitting, candidate, drawn)) : barest;
}

/** Rows are left out though there is room for them: the tool has not measured yet, however long that takes it. */
const UNMEASURED_STABLE_MS = 1000;

/** A tool that may be about to measure what it drew: until then a dialog can lack rows, and nothing tells of them. */
function fittingStableMs(fitting: Fitting, candidate: Candidate, { view, isRefitted }: Drawn): number {
  const { stableMs, freeRows, gap, listRows, until } = fitting;
  const { region, content, choices, torn, hasAllRows } = candidate;
  if (until !== null && says(until, view, region)) return 0;
  if (torn !== undefined && listRows !== null && rowsInSight(choices) >= listRows) return 0;
  const isFull = freeRows !== null && region.bottom - region.top + 1 >= view.lines.length - freeRows;
  // What was counted, and then counted again, is right.
  if (isFull) return isRefitted && content.cut?.missing !== undefined ? 0 : stableMs;
  if (content.cut === null || hasAllRows) return 0;
  if (freeRows !== null) return UNMEASURED_STABLE_MS;
  return gap === null || blankRowsAbove(view, choices[0]?.firstRow ?? 0) > gap ? stableMs : 0;
}

/** The choice that stands for all rows out of sight has the place of the last one in sight. */
function rowsInSight(choices: Candidate["choices"]): number {
  return new Set(choices.map(({ firstRow }) => firstRow)).size;
}

function says(pattern: string, { lines }: View, { top, bottom }: Candidate["region"]): boolean {
  return lines.slice(top, bottom + 1).some(({ text }) => matches(pattern, text.replace(SIDES, "")));
}

/** Of the boxes that a row stands in. */
const SIDES = /^[\s│┃║|]{1,16}/u;

/** Beside a gutter, a frame's side or a scroll bar a row is blank, too. */
const DRAWN_ONLY = /^[\s│┃║|█▀▄]*$/u;

function blankRowsAbove({ lines }: View, row: number): number {
  let above = row - 1;
  while (above >= 0 && DRAWN_ONLY.test(lines[above]?.text ?? "")) above--;
  return row - 1 - above;
}
