/** Every limit of delivery, in one place. They hold for all channels; how often a service may be written to is its channel's to say (`Pace`). */

/** Edits, and what is said by the way, leave one message's room: a question never waits behind them. */
export const QUESTION_RESERVE = 1;

/** First retry after a failed call; doubles up to the cap, with jitter so that places do not retry in step. */
export const BACKOFF_FIRST_MS = 1_000;
export const BACKOFF_MAX_MS = 60_000;

/** A call of a few KB takes well under a second. One that takes longer carries a file, or hangs: nobody's answer waits behind it. */
export const PASS_AFTER_MS = 5_000;
/** A card takes a second; what is due and was not taken for so long does not reach anybody now, whatever becomes of it. */
export const PLACE_LATE_MS = 5_000;
/** So many slow calls of a place are passed; a service that answers none of them is not asked more and more. */
export const PASSED_MAX = 3;

/** Longer than the limits of the channels for a file and its card together: sooner, both would be posted twice. */
export const SEND_TIMEOUT_MS = 300_000;

/** At a stop: how long calls under way may take to come back, so that fewer cards are posted twice. */
export const STOP_GRACE_MS = 2_000;

/** What became of a call could not be recorded (disk full): it is tried again, and the call is not made again meanwhile. */
export const WRITE_AGAIN_MS = 5_000;

/** An update whose handling failed (disk full) is tried again. */
export const INBOX_RETRY_MS = 5_000;

/** Updates are handled for so long at a stretch; then others get their turn, a tap over the other service among them. */
export const HANDLED_MS_MAX = 20;

/** Services send an update again for a day at most; a week is beyond doubt. */
export const SPOOL_KEPT_MS = 7 * 24 * 60 * 60 * 1_000;

/** A worker begins to put an answer in within milliseconds, a busy one within seconds; after so long its card says that it waits. */
export const UNTAKEN_AFTER_MS = 5_000;
