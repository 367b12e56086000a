/** Every time and size by which the tracker decides, with its reason. */

/** After a resize the tool clears and draws anew; the real dialog is missing for up to 20 ms, on a loaded box longer. */
export const RESIZE_GUARD_MS = 500;
/** An update left open this long is taken for closed: the tool forgot it. */
export const UNFINISHED_MAX_MS = 1000;
/** A tool that animates is never quiet; a region absent this long, over several frames, is not a redraw in progress. */
export const ABSENT_MAX_MS = 300;
/** A look comes so long after the bytes that it shows, at most (`frames.ts`), unless they flood in. */
export const LOOK_LATE_MS = 50;
/** A redraw in several writes pauses for less: where nothing else has come in its place, a dialog is not called gone sooner. */
export const GONE_QUIET_MS = 200;
/** A dialog below which something keeps moving is raised after this long with the same fingerprint. */
export const STILL_MAX_MS = 1000;
/** After a committing key a dialog that is absent for so long is over: a redraw in several writes takes less. */
export const COMMIT_GONE_MS = 100;
/** A committing key that shows no effect for this long had none. */
export const COMMIT_WINDOW_MS = 2000;
/** Output after a committing key that is a redraw: a dialog takes 1000 bytes and more, a blink 40, a moved mark below 190. */
export const REDRAW_BYTES_MIN = 200;
/**
 * A smaller redraw is a short question asked again, or the last thing that a closing dialog does (a scroll bar that goes takes 202
 * bytes, and the dialog stood on for 90 ms): that is told apart by what comes so soon after it.
 */
export const REDRAW_BYTES_SURE = 600;
export const REDRAWN_CLOSING_MS = 140;
/**
 * After its request was answered elsewhere a dialog stays drawn: on a loaded machine for a second and more. It is not raised again
 * meanwhile; as long as the proof of such an answer is waited for, and a little longer.
 */
export const CLOSING_MS = 5000;
/** The same where an equal request waits: its dialog looks the same and may follow at once. */
export const TWIN_CLOSING_MS = 1000;

/**
 * A line that asks for the second time without an answer is told again after this long, then after twice as long, and so on: a clock
 * above it would make a card each second. Whoever answers sooner is told at once.
 */
export const AGAIN_DELAY_MS = 5000;
/** Who looks at last must find a card that is not much older than this. */
export const AGAIN_DELAY_MAX_MS = 300_000;

/** A screen that cannot be followed for longer than this is told to people. Whoever clears it draws it anew within a second. */
export const SCREEN_LOST_AFTER_MS = 1000;
