/** Every limit of the channel with its reason. Sizes are Telegram's own; times may be shortened by tests. */

/** Telegram: "1-4096 characters after entities parsing". Counted in UTF-16 units, never less than the server counts. */
export const TEXT_MAX = 4096;
/** Telegram: callback_data is 1-64 bytes. */
export const TOKEN_BYTES_MAX = 64;
/** Telegram: callback answers have 0-200 characters. */
export const CALLBACK_ANSWER_MAX = 200;
/** Telegram refuses keyboards of more than about 100 buttons; these may be answers, */
export const BUTTONS_MAX = 89;
/** and these may ask for words. */
export const ASK_BUTTONS_MAX = 10;
/** What a phone in portrait shows of a full-width button; a longer label is written out in the card. */
export const BUTTON_TEXT_MAX = 40;
/** A question is one or two sentences; beyond this it goes whole into the attached file. */
export const QUESTION_MAX = 800;
/** One label in the card's list of choices. */
export const LABEL_MAX = 300;
/** The whole list of choices in a card. */
export const CHOICES_MAX = 1500;
/** Tool, label, place: identification, not content. */
export const NAME_MAX = 120;
/** What stands in a card of which the rest is attached: a screenful, so that the buttons stay in reach. */
export const PREVIEW_MAX = 1500;
/** And no more lines than this, however short they are. */
export const PREVIEW_LINES_MAX = 30;
/** The outcome is written into the card afterwards and must not push anything out of it. */
export const OUTCOME_MAX = 300;
/** Hint, expiry, doubt and the attachment line, which come and go while the card lives. */
export const FOOTER_MAX = 400;
/** Telegram: a message has at most 100 styled parts; a card has some of its own. With more to be set in code, all of it is. */
export const LINKS_MAX = 40;
/** A sender's name as we pass it on. */
export const DISPLAY_NAME_MAX = 128;
/** Files already sent for cards that were not: enough for every delivery that can be between two tries. */
export const REMEMBERED_FILES_MAX = 64;

/**
 * Bytes of an answer with updates. A hundred of the longest messages are below half of it; what holds more is asked for in smaller
 * batches, and read as JSON in one go it holds up nothing for longer than some 20 ms.
 */
export const UPDATES_BYTES_MAX = 2 * 1024 * 1024;
/** Bytes of any other answer: a message comes back with all that it quotes, which is some KB. */
export const ANSWER_BYTES_MAX = 512 * 1024;
/** What is passed on of the service's own words for a refusal. */
export const REASON_MAX = 200;

/** Messages a chat that wait for a reply: more than anybody has open at once. */
export const REMEMBERED_ASKS_MAX = 100;
/** Topics a group; a session whose topic was forgotten gets a new one. */
export const REMEMBERED_TOPICS_MAX = 200;
/** Telegram: a topic's name has 1-128 characters. */
export const TOPIC_NAME_MAX = 128;

/** Times in ms, except the server's own `timeout`, which is in seconds. */
export interface TelegramTiming {
  /** getUpdates' `timeout`: 50 s is the most the service grants. */
  readonly pollSeconds: number;
  /** A poll that exceeds its own timeout by this much hangs on a dead socket. */
  readonly pollGraceMs: number;
  /** A call that carries some KB: far beyond any healthy one. */
  readonly callMs: number;
  /** A question about a chat at the start, for which everything waits: the first tap must not wait longer than a poll's answer. */
  readonly placeMs: number;
  /** A file of some MB on a slow line. */
  readonly uploadMs: number;
  /** A callback answer: the service forgets the query after about 15 s, and two tries must fit. */
  readonly answerMs: number;
  /** First wait after an answer or a connection broke: the service is there, and a tap may be waiting. Doubles. */
  readonly lostMs: number;
  /** The longest of these waits, for so many failures in a row: with half an answer before it, a tap waits for less than 3 s. */
  readonly lostMaxMs: number;
  readonly lostTries: number;
  /** First wait after any other failure; doubles. */
  readonly retryMs: number;
  /** Longest wait: after a night offline the first tap must not wait longer. */
  readonly retryMaxMs: number;
  /** First wait after another poller took over: above the 3 s in which the service itself delays conflicts. */
  readonly conflictMs: number;
  readonly conflictMaxMs: number;
  /** Without a conflict for this long the next one counts as the first. */
  readonly conflictForgottenMs: number;
  /** A refused token rarely comes back to life; ask seldom, but ask. */
  readonly refusedMs: number;
  /** A server that answers long polls at once and empty must not make us spin. */
  readonly emptyPollMs: number;
}

export const TIMING: TelegramTiming = {
  pollSeconds: 50,
  pollGraceMs: 15_000,
  callMs: 30_000,
  placeMs: 2_000,
  uploadMs: 180_000,
  answerMs: 5_000,
  lostMs: 250,
  lostMaxMs: 1_000,
  lostTries: 60,
  retryMs: 1_000,
  retryMaxMs: 30_000,
  conflictMs: 5_000,
  conflictMaxMs: 60_000,
  conflictForgottenMs: 120_000,
  refusedMs: 300_000,
  emptyPollMs: 1_000,
};

/** The longest that a service may ask us to wait; beyond it the answer is taken for damaged. */
export const RETRY_AFTER_MAX_MS = 3_600_000;
