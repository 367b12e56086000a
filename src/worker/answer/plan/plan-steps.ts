/** The plan of an answer: its keys, the screen that each key needs, and the effect of the last one. */
import type { Refusal } from "../../../model/answer/refusal.js";

/** Conditions on the live screen at the instant of a write; an absent one is not checked. */
export interface Expected {
  /**
   * `same`: the raised prompt, by fingerprint. `same_but_text`: the same with text in its field (labels of text rows may differ).
   * `unrecognized`: no other rule reads the screen; typed text has changed its fingerprint.
   * `typed`: the line of the question followed by exactly this text, and the cursor on it.
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
  /** Ticks, including the one that the previous write had to set or clear. */
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
  /** Goes into one write. */
  readonly keys: string;
  /** Also the expected effect of the previous step. */
  readonly expects: Expected;
  /** The tool may take this key alone as the answer; then no further step follows. */
  readonly mayAnswer?: true;
  /** This key answers; the steps that follow add text to the answer. */
  readonly answers?: true;
}

/** The effect of the last step, besides that the prompt leaves the screen. */
export type Effect =
  | { readonly kind: "leaves"; /** The labels of the chosen rows. */ readonly chosen?: string }
  /** Anything on the screen changes: a key moves in a screen that no rule reads. */
  | { readonly kind: "screen_changes" }
  /** The same question may be asked in another row. */
  | { readonly kind: "leaves_row" }
  /** Typed on a line: the same question may be asked again below the typed answer. */
  | { readonly kind: "leaves_or_repeats"; readonly typed: string }
  /** Typed for a tool that draws the line itself: it moves on, or redraws the line. */
  | { readonly kind: "typed_text_leaves"; readonly typed: string }
  /** Text in a field: the field may remain empty. While all of the text is still drawn in it, Enter may be sent again. */
  | { readonly kind: "field_empties" }
  /** Text in the tool's composer while no prompt is open. */
  | { readonly kind: "composer_empties" };

export interface Plan {
  /** At least one. Only the last write, or one with `mayAnswer` or `answers`, commits the answer. */
  readonly steps: readonly InputStep[];
  readonly effect: Effect;
  /** The tool is expected to end with this answer. */
  readonly endsTool: boolean;
}

export function isPlan(planned: Plan | Refusal): planned is Plan {
  return "steps" in planned;
}

const ARROW = /^\u001b[O[][A-D]$/u;

/** Whether the plan goes back after the arrow key `last`: the mark has passed the row. */
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
