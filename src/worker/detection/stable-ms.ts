/** How long a candidate must stay unchanged before it is raised: the less is proved, the longer. Pure. */
import { CONFIDENCE_FLOOR } from "../../model/prompt.js";
import type { Signals } from "../../sdk/view.js";
import type { CompiledRule } from "../adapter-format/compiled/compiled.js";
import { isLineShape } from "./shapes/line-shape.js";

/** A program that prints `Continue? ` and works on looks like one that waits; without proof it gets more time. */
const UNPROVEN_LINE_STABLE_MS = 250;
/** Even more time where the wording is weak, too (`name: `). */
const UNPROVEN_WEAK_STABLE_MS = 500;

/** Longer than any reading of the tty takes. */
const FACTS_DUE_STABLE_MS = 2000;

/** `layoutMs`: how long the tool may take to lay out the dialog. */
export function computeStableMs(rule: CompiledRule, signals: Signals, layoutMs: number): number {
  const { blockedOnRead, canonical, ttyDue } = signals;
  const isDrawn = !isLineShape(rule);
  const stableMs = Math.max(rule.stableMs, layoutMs);
  const isUnproven = wantsFacts(rule) && (isDrawn ? canonical === undefined : blockedOnRead !== true);
  if (!isUnproven) return stableMs;
  if (ttyDue) return Math.max(stableMs, FACTS_DUE_STABLE_MS);
  const isStrong = rule.score >= CONFIDENCE_FLOOR.high;
  return Math.max(stableMs, isStrong ? UNPROVEN_LINE_STABLE_MS : UNPROVEN_WEAK_STABLE_MS);
}

/** Whether facts of the tty can shorten the wait. */
export function wantsFacts({ shape, tty }: Pick<CompiledRule, "shape" | "tty">): boolean {
  return isLineShape({ shape }) || tty !== null;
}
