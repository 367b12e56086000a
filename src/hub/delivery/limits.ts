/** All limits of delivery in one place. They apply to every channel; the rate limits of a service come from its channel (`Pace`). */

/** The share of each rate that receipts and status texts leave free, so that a prompt seldom waits behind them: one of three, three of 18. */
export const FREE_FOR_PROMPTS = 1 / 6;

/** A prompt that is sent this much later than it was due says so on its card, and an older turn's answer is no longer sent. */
export const LATE_MS = 5_000;

/** How many sessions' turns in their chats are remembered: more than are ever busy at once. A forgotten one comes first. */
export const REMEMBERED_TURNS_MAX = 500;

/** Delay after the first failed call. It doubles up to the cap, with jitter so that places do not retry in step. */
export const BACKOFF_FIRST_MS = 1_000;
export const BACKOFF_MAX_MS = 60_000;

/** The longest delay between the first tries of a card: somebody waits for it. */
export const CARD_BACKOFF_MAX_MS = 3_000;
/** The first tries, within about 20 s. A service that posts a card and answers with an error shows no more of them. */
export const CARD_TRIES_SOON = 10;

/** A call of a few KB takes well under a second. A longer one uploads a file or hangs, and other calls go past it. */
export const PASS_AFTER_MS = 5_000;
/** Each call started takes milliseconds of the event loop: so few per turn let a tap come between the cards of many places. */
export const STARTS_PER_TURN_MAX = 4;
/** Posting a card takes about a second. After this limit the place counts as unreachable. */
export const PLACE_LATE_MS = 5_000;
export const SLOW_CALLS_MAX = 3;

/** Longer than the channels' own limits for a file and its card together: a shorter limit would post both twice. */
export const SEND_TIMEOUT_MS = 300_000;

/** How long a stop waits for calls in flight, so that fewer cards are posted twice. */
export const STOP_GRACE_MS = 2_000;

/** Delay before a call's result that could not be recorded (disk full) is recorded again; the call is not repeated meanwhile. */
export const WRITE_AGAIN_MS = 5_000;

export const INBOX_RETRY_MS = 5_000;

export const HANDLED_MS_MAX = 20;

/** Services redeliver an update for a day at most; a week is safe. */
export const INBOX_KEPT_MS = 7 * 24 * 60 * 60 * 1_000;

/** A busy worker starts typing within seconds. After this limit the card says that the answer waits. */
export const ANSWER_PICKUP_LIMIT_MS = 5_000;
