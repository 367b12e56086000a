import type { Choice } from "../../../model/prompt.js";

/** A button before it has a token. */
export interface ButtonPlan {
  /** What its tap answers, or, beside answers, what it does. */
  readonly value: string;
  readonly choice: Choice;
}
