/** The note under content that is not shown completely, the same everywhere. Pure. */
import type { Cut } from "./prompt.js";

/** The part that is not on the screen comes from a hook: a program that can speak for the tool could have invented it. */
export const TOLD_NOTE = "The terminal shows only a part of this; the rest comes from the tool's hook.";

/** Whether the question is about it is not known: it may be output of another command. */
export const ABOVE_NOTE = "The terminal shows more above this. Check there if the question is about it.";

/** For a terminal. */
export function describeCut({ missing, told, above }: Cut): string {
  if (told) return TOLD_NOTE;
  if (above) return ABOVE_NOTE;
  return `It is not shown completely${missing ? `: ${missing}` : "."}`;
}
