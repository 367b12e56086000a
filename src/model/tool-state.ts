/** What the tool is doing, as far as screen and signals show. */
export const TOOL_STATES = [
  "starting",
  "working",
  "waiting",
  "idle",
  /** Its output cannot be followed: only its terminal shows its work and its prompts. */
  "screen_lost",
  /** Its AtlasBridge is too old for the hub: only its terminal shows its prompts, until it is restarted. */
  "not_relayed",
  "ended",
] as const;
export type ToolState = (typeof TOOL_STATES)[number];

/** Longest last message in UTF-16 units: about twenty pages, more than anybody reads before the next task. */
export const SAID_LENGTH_MAX = 64 * 1024;

const CUT = "…";

/** At most SAID_LENGTH_MAX characters. The end is kept, because a tool says there which input it needs next. */
export function limitLastMessage(text: string): string {
  if (text.length <= SAID_LENGTH_MAX) return text;
  const end = text.slice(CUT.length - SAID_LENGTH_MAX);
  // Avoids half a surrogate pair.
  return `${CUT}${/^[\uDC00-\uDFFF]/.test(end) ? end.slice(1) : end}`;
}
