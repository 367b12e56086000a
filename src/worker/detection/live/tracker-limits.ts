/** The times and sizes by which the tracker decides, with their reasons. */

/** After a resize the tool clears and redraws the screen; the dialog is missing for up to 20 ms, on a loaded machine longer. */
export const RESIZE_GUARD_MS = 500;
/** A dialog that is missing for longer than this was not merely redrawn: the next one is another. */
export const REDRAWN_WITHIN_MS = 1000;
/** A program opens a terminal, draws and ends within this time; its drawing may still be visible in a later dialog. */
export const OPENED_BEFORE_MS = 10_000;
/** A synchronized update that is open for this long counts as closed: the tool forgot to close it. */
export const UNFINISHED_MAX_MS = 1000;
/** A tool that animates is never quiet, so a dialog that is absent for this long is gone even while output arrives. */
export const ABSENT_MAX_MS = 300;
/** The most time between bytes and the detection that sees them (`frame-scheduler.ts`), unless output floods in. */
export const LOOK_LATE_MS = 50;
/** A dialog counts as gone only after this much quiet; a redraw in several writes has shorter pauses. */
export const GONE_QUIET_MS = 200;
/** A dialog with something moving below it is raised after this long with the same fingerprint. */
export const STILL_MAX_MS = 1000;
/** After a committing key a dialog that is absent for this long is closed; a redraw in several writes takes less. */
export const COMMIT_GONE_MS = 100;
/** A committing key without an effect for this long had none. */
export const COMMIT_WINDOW_MS = 2000;
/** Output after a committing key of this size is a redraw: a dialog takes 1000 bytes or more, a blink 40, a moved mark below 190. */
export const REDRAW_BYTES_MIN = 200;
/**
 * A smaller redraw is either a short question that is repeated, or the last change of a closing dialog (a removed scroll bar took 202
 * bytes, and the dialog stayed for another 90 ms). REDRAWN_CLOSING_MS is the wait that tells them apart.
 */
export const REDRAW_BYTES_SURE = 600;
export const REDRAWN_CLOSING_MS = 140;
/**
 * After its request was answered elsewhere a dialog stays on screen, on a loaded machine for more than a second. It is not raised
 * again meanwhile. This is a little longer than the wait for the proof of such an answer.
 */
export const CLOSING_MS = 5000;
/** The same while an equal request waits, whose equal dialog may follow at once. */
export const TWIN_CLOSING_MS = 1000;
/** A dialog that remains for this long after an effect of our keys was seen was not answered by them. */
export const ANSWERED_CLOSING_MS = 3000;

/**
 * A repeated line prompt gets its second new card after this long, the next after twice as long, and so on: below a running clock there
 * would be a card each second. After an answer the next prompt gets a card at once.
 */
export const AGAIN_DELAY_MS = 5000;
/** The longest wait for a new card, so that a person who looks late finds a card that is not much older. */
export const AGAIN_DELAY_MAX_MS = 300_000;

/** A screen that cannot be followed for longer than this is reported. A tool that clears its screen redraws it within a second. */
export const SCREEN_LOST_AFTER_MS = 1000;
