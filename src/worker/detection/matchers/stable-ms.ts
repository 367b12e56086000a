/** How long a candidate must be still before it counts: as short as what is known of it allows. Pure. */
import { CONFIDENCE_FLOOR } from "../../../model/prompt.js";
import type { Signals } from "../../../sdk/view.js";
import type { Shape } from "../../adapter-format/adapter-file.js";
import type { CompiledRule } from "../../adapter-format/compiled/compiled.js";

/** A program that prints `Continue? ` and works on looks just like one that asks; without proof it gets more time to go on. */
const UNPROVEN_LINE_STABLE_MS = 250;
/** Where the wording is weak, too (`name: `), even more. */
const UNPROVEN_WEAK_STABLE_MS = 500;

/** Longer than any reading of the tty takes. */
const FACTS_DUE_STABLE_MS = 2000;

/** `layoutMs`: what the tool may take to lay the dialog out. */
export function stableMsOf(rule: CompiledRule, signals: Signals, layoutMs: number): number {
  const { blockedOnRead, canonical, ttyDue } = signals;
  const isDrawn = isDialog(rule.shape);
  const stableMs = Math.max(rule.stableMs, layoutMs);
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
