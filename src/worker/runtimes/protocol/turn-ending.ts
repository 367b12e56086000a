/** Messages for the ends of a turn that leave its task unfinished. */

const ENDINGS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    cancelled: "Cancelled.",
    refusal: "The agent refused to go on.",
    max_tokens: "It ended because the answer became too long.",
    max_turn_requests: "It ended because the turn took too many steps.",
    model_context_window_exceeded: "It ended because the conversation became too long.",
  }),
);

/** Describes an early end; null for a normal one. */
export function describeEarlyEnd(stopReason: string | null): string | null {
  return ENDINGS.get(stopReason ?? "") ?? null;
}
