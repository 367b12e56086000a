/** What an answer is made of: the keys, what must stand on the screen before each, and what must be seen after them. */
import { type Rejection } from "../../../model/answer/rejection.js";

/** What the live screen must show at the instant of a write; what is absent is not looked at. */
export interface Expected {
  /**
   * `same`: the raised prompt, by fingerprint. `same_but_text`: it, with text in its field (labels of text rows may differ).
   * `unread`: an unread screen has no identity once text stands on it; only the echo, and that no dialog is read there.
   * `typed`: the line of the question with exactly the text of the write before behind it, and the cursor still there.
   * `{ rule }`: the dialog that the key before this one had to bring up.
   * `composer`: nothing is asked, the tool is idle, and its composer is empty, or, with an `echo`, holds that text.
   */
  readonly identity:
    "same" | "same_but_text" | "unread" | "composer" | { readonly typed: string } | { readonly rule: string };
  /** 1-based choice that must be highlighted. */
  readonly highlighted?: number;
  /** Ticks as they must be by now, the one that the write before had to set or clear among them. */
  readonly ticked?: readonly Tick[];
  /** The choice whose row must have changed because its text field opened. */
  readonly opened?: number;
  /** Exactly this text must stand in the field of the question. */
  readonly field?: string;
  /** This text must have appeared since the write before. */
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
  /** Also the foreseen effect of the step before. */
  readonly requires: Expected;
  /** The tool may act on this key at once: then the answer is given, and no further step follows. */
  readonly mayAnswer?: true;
  /** This key answers; what follows are words that go with the answer. */
  readonly answers?: true;
}

/** How the effect of the last step shows, besides the prompt leaving the screen. */
export type Effect =
  | { readonly kind: "leaves" }
  /** Or the same question is asked in another row. */
  | { readonly kind: "leaves_row" }
  /** Typed on a line: the same question may be asked again below the typed answer. */
  | { readonly kind: "line_taken"; readonly typed: string }
  /** Typed for a tool that draws the line itself: it moves on, or draws the line anew. */
  | { readonly kind: "line_left"; readonly typed: string }
  /** Text in a field: the field may stay, emptied; while the text provably stands in it, Enter may be sent again. */
  | { readonly kind: "field_empties"; readonly text: string }
  /** Text in the tool's composer, where nothing is asked. */
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
