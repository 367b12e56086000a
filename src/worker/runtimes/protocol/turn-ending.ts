/** The only words for an end that leaves nothing undone. Any other, also one that is not known yet, proves nothing. */
const DONE: readonly string[] = ["end_turn", "stop_sequence"];

const WORD_MAX = 40;

const ENDINGS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    cancelled: "Cancelled.",
    refusal: "The agent refused to go on.",
    max_tokens: "It ended because the answer became too long.",
    max_turn_requests: "It ended because the turn took too many steps.",
    model_context_window_exceeded: "It ended because the conversation became too long.",
  }),
);

/** Describes an end that is no proof of a finished task; null for a normal one. */
export function describeEarlyEnd(stopReason: string | null): string | null {
  if (stopReason === null) return "It ended without a reason: it is not known whether the task is done.";
  if (DONE.includes(stopReason)) return null;
  const word = JSON.stringify(stopReason.slice(0, WORD_MAX));
  return ENDINGS.get(stopReason) ?? `It ended by ${word}: it is not known whether the task is done.`;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;

/** Says that AtlasBridge cancelled a turn after `ms` without a sign of life, which `setting` allows. */
export function describeSilence(ms: number, setting: string): string {
  const time = ms % MINUTE_MS === 0 ? `${ms / MINUTE_MS} min` : `${ms / SECOND_MS} s`;
  return `Cancelled by AtlasBridge: silent for ${time} (${setting})`;
}
