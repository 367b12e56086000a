/** Keeps what is asked far below what one message to the hub may hold, and says so where that takes something away. */
import type { PromptContent } from "../../model/prompt.js";

/** In UTF-16 units. A diff of twenty thousand lines; text and input together stay below half of a message. */
const TEXT_LENGTH_MAX = 1024 * 1024;
const INPUT_LENGTH_MAX = 1024 * 1024;

export interface AskedCall {
  readonly tool: string;
  readonly input: unknown;
  readonly cwd: string;
}

/** It can be shown without a cut. */
export function fitsWhole(text: string): boolean {
  return text.length <= TEXT_LENGTH_MAX;
}

/** Whole where it fits; else its beginning and how much is missing. */
export function boundedContent(text: string, call: AskedCall | null): PromptContent {
  const fits = fitsWhole(text);
  const shown = fits ? text : text.slice(0, TEXT_LENGTH_MAX).replace(/[\ud800-\udbff]$/u, "");
  const missing = `${text.length - shown.length} more characters`;
  return {
    text: shown,
    cut: fits ? null : { missing },
    ...(call && lengthOf(call.input) <= INPUT_LENGTH_MAX && { call }),
  };
}

function lengthOf(input: unknown): number {
  return input === undefined ? Infinity : JSON.stringify(input).length;
}
