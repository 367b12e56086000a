/** What was seen of one turn: what a person counts, and what came out of AtlasBridge. One JSON line each. */
import type { ListedPrompt } from "../../../src/wire/listings.js";
import type { PromptType } from "../../../src/model/prompt.js";
import type { Situation } from "../corpus/situation.js";

export interface Label {
  readonly type: PromptType | null;
  /** How many questions there are in the whole turn. */
  readonly count: number;
  readonly replies?: readonly unknown[];
}

export interface LiveSituation extends Situation {
  readonly label: Label;
}

export interface Turn {
  readonly turn: number;
  readonly situation: string;
  readonly did: string;
  readonly terminal: string;
  readonly at_s: number;
  readonly asked: number;
  readonly raised: readonly RaisedPrompt[];
  readonly missed: number;
  readonly invented: number;
  /** How what was still asked at the end of the turn was answered. */
  readonly answered?: string;
}

export interface RaisedPrompt {
  readonly type: string;
  readonly class: string;
  readonly confidence: string;
  readonly excerpt: string;
  readonly choices: number;
  readonly cut?: true;
  readonly state: string;
}

export function raisedPrompt(prompt: ListedPrompt): RaisedPrompt {
  return {
    type: prompt.type,
    class: prompt.safetyClass,
    confidence: prompt.confidence,
    excerpt: prompt.excerpt,
    choices: prompt.choices.length,
    ...(prompt.content.cut !== null && { cut: true as const }),
    state: prompt.state,
  };
}

/** Counted by the number of questions; one of another type than the person saw is both: a miss and an invention. */
export function compareTurn(
  label: Label,
  prompts: readonly ListedPrompt[],
): Pick<Turn, "asked" | "missed" | "invented"> {
  const last = prompts.at(-1);
  const isOther = label.type !== null && last !== undefined && last.type !== label.type ? 1 : 0;
  return {
    asked: label.count,
    missed: Math.max(0, label.count - prompts.length) + isOther,
    invented: Math.max(0, prompts.length - label.count) + isOther,
  };
}
