import type { Choice } from "../../../model/prompt.js";

export interface ButtonPlan {
  /** The answer of its tap, or, beside answers, its action. */
  readonly value: string;
  readonly choice: Choice;
}
