/** What an answer is made of: the keys, what must stand on the screen before each, and what must be seen after them. */
import { type Rejection } from "../../../model/answer/rejection.js";

/** What the live screen must show at the instant of a write; what is absent is not checked. */
export interface Expected {
  /**
   * `same`: the raised prompt, by fingerprint. `same_but_text`: the same with text in its field (labels of text rows may differ).
   * `unrecognized`: a screen that no rule reads has no identity once text stands on it; only the echo is checked, and that no rule reads it.
   * `typed`: the line of the question followed by exactly what has been typed so far, with the cursor still there.
   * `{ rule }`: the dialog that the previous key had to open.
   * `composer`: nothing is asked, the tool is idle, and its composer is empty or, with an `echo`, holds that text.
   */
  readonly identity:
    | "same"
    | "same_but_text"
    | "unrecognized"
    | "composer"
    | { readonly typed: string }
    | { readonly rule: string };
  /** 1-based choice that must be highlighted. */
  readonly highlighted?: number;
  /** Ticks as they must be by now, including the one that the previous write had to set or clear. */
  readonly ticked?: readonly Tick[];
  /** The choice whose row must have changed because its text field opened. */
  readonly opened?: number;
  /** The prompt's field must hold exactly this text. */
  readonly field?: string;
  /** This text must have appeared since the previous write. */
  readonly echo?: string;
}

export interface Tick {
  /** 1-based. */
  readonly choice: number;
  readonly on: boolean;
}

export interface InputStep {
  /** Exactly what is written, in one write. */
  readonly keys: string;
  /** Also the expected effect of the previous step. */
  readonly expects: Expected;
  /** The tool may act on this key at once: then the answer is given, and no further step follows. */
  readonly mayAnswer?: true;
  /** This key answers; the steps that follow add text to the answer. */
  readonly answers?: true;
}

/** How the effect of the last step can be seen, besides the prompt leaving the screen. */
export type Effect =
  | { readonly kind: "leaves"; /** The labels of the chosen rows. */ readonly chosen?: string }
  /** Or anything else on the screen changes soon: the key moves in a screen that no rule reads, watched by the person who pressed it. */
  | { readonly kind: "screen_changes" }
  /** Or the same question is asked in another row. */
  | { readonly kind: "leaves_row" }
  /** Typed on a line: the same question may be asked again below the typed answer. */
  | { readonly kind: "leaves_or_repeats"; readonly typed: string }
  /** Typed for a tool that draws the line itself: it moves on, or redraws the line. */
  | { readonly kind: "typed_text_leaves"; readonly typed: string }
  /** Text in a field: the field may stay, emptied; while the text provably stands in it, Enter may be sent again. */
  | { readonly kind: "field_empties"; readonly text: string }
  /** Text in the tool's composer while no prompt is open. */
  | { readonly kind: "composer_empties"; readonly text: string };

export interface Plan {
  /** At least one. Only the last write commits the answer, or one that `mayAnswer` or `answers`; no other can. */
  readonly steps: readonly InputStep[];
  readonly effect: Effect;
  /** The tool is expected to end with this answer. */
  readonly endsTool: boolean;
}

export function isPlan(planned: Plan | Rejection): planned is Plan {
  return "steps" in planned;
}

const ARROW = /^\u001b[O[][A-D]$/u;

/** After the arrow key `last`, the plan goes the other way: the mark has passed the row. */
export function turnsBack(last: string | undefined, { steps }: Plan): boolean {
  const first = steps[0]?.keys ?? "";
  return last !== undefined && ARROW.test(last) && ARROW.test(first) && first !== last;
}

export function expectsTyped({ expects: { identity } }: InputStep): boolean {
  return typeof identity === "object" && "typed" in identity;
}

/** The plan as it ends when the tool acts on a key before the last one. */
export function endEarly({ steps, endsTool }: Plan): Plan {
  return { steps, effect: { kind: "leaves_row" }, endsTool };
}

/** Whether its key only moves something on a screen that no rule reads. */
export function isMove({ effect }: Plan): boolean {
  return effect.kind === "screen_changes";
}
