/** Ends of a turn by which its task is not done, whatever was said before: what a person should know of them. */

const ENDINGS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    cancelled: "Cancelled.",
    refusal: "The agent refused to go on.",
    max_tokens: "It ended because the answer became too long.",
    max_turn_requests: "It ended because the turn took too many steps.",
    model_context_window_exceeded: "It ended because the conversation became too long.",
  }),
);

/** In a sentence; null: nothing is known against it. */
export function earlyEnding(stopReason: string | null): string | null {
  return ENDINGS.get(stopReason ?? "") ?? null;
}
