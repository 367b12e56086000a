/** Times that all runtimes keep. */

/** From asking a tool to end to ending it (adapter spec §2, `terminate_session`). */
export const TERMINATE_GRACE_MS = 3000;
/** A tool that was told to stop ends its turn within a moment; one that does not is hung. */
export const CANCEL_WITHIN_MS = 10_000;
/**
 * A tool that is killed lets go of its calls before anybody hears that it has ended, on a busy machine by some tenths of a second. What
 * became of a call is told only then: its dialog asks nothing anew where there is no tool.
 */
export const END_TOLD_WITHIN_MS = 1000;
