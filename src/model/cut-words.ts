/** What people read under content that is not seen whole, the same wherever they read it. Pure. */
import type { Cut } from "./prompt.js";

/** The part that nobody saw is what a program said it was: whoever can speak in the tool's name could have made it up. */
export const TOLD_WORDS = "The terminal shows only a part of this: the rest is as the tool's hook told it.";

/** In a terminal. */
export function cutLine({ missing, told }: Cut): string {
  if (told) return TOLD_WORDS;
  return `Not all of it is shown${missing ? `: ${missing}` : "."}`;
}
