/** Time limits shared by all runtimes. */

/** From asking a tool to end to ending it (adapter spec §2, `terminate_session`). */
export const TERMINATE_GRACE_MS = 3000;
/** A tool that was told to stop ends its turn within a moment; one that does not is hung. */
export const CANCEL_WITHIN_MS = 10_000;
/**
 * When a tool is killed, its hook calls close before its exit is reported, on a busy machine by some tenths of a second. The end of a call
 * is reported only after this time: where the tool is gone, its dialog must not be raised as a new prompt.
 */
export const END_REPORTED_WITHIN_MS = 1000;
