/** Every limit of the channel with its reason. Sizes are Telegram's own; only tests shorten times. */

/** Telegram: "1-4096 characters after entities parsing". Counted in UTF-16 units, never less than the server counts. */
export const TEXT_MAX = 4096;
/** Telegram: the caption of a file has at most 1024 characters. */
export const CAPTION_MAX = 1024;
/** Telegram: callback_data is 1-64 bytes. */
export const TOKEN_BYTES_MAX = 64;
/** Telegram: callback answers have 0-200 characters. */
export const CALLBACK_ANSWER_MAX = 200;
/** Telegram refuses keyboards of more than about 100 buttons; this many may be answers, */
export const BUTTONS_MAX = 89;
/** and this many may ask for text. */
export const ASK_BUTTONS_MAX = 10;
/** What a phone in portrait shows of a full-width button; a longer label is also in the card's list. */
export const BUTTON_TEXT_MAX = 40;
/** Labels up to this length lie side by side, */
export const WORD_MAX = 12;
/** so many in a row, which a phone in portrait shows completely. */
export const WORDS_PER_ROW = 3;
/** A question is one or two sentences; a longer one goes completely into the attached file. */
export const QUESTION_MAX = 800;
/** One label in the card's list of choices. */
export const LABEL_MAX = 300;
/** The whole list of choices in a card. */
export const CHOICES_MAX = 1500;
/** Tool, machine, label: identification, not content. */
export const NAME_MAX = 120;
/** A question, an option or an answer of a form, on a card that shows one question at a time. */
export const STEP_LINE_MAX = 300;
/** The outcome is added to the card later and must not push anything out of it. */
export const OUTCOME_MAX = 300;
/** Hint, expiry, warnings and the attachment line, which change while the card lives. */
export const FOOTER_MAX = 400;
/** Telegram: a message has at most 100 styled parts, and a card has some of its own. With more links, the whole text is set in code. */
export const LINKS_MAX = 40;
/** Longest sender name that we pass on. */
export const DISPLAY_NAME_MAX = 128;
/** Files already sent whose cards failed: enough for every delivery between two tries. */
export const REMEMBERED_FILES_MAX = 64;

/**
 * Bytes of a response with updates. A hundred of the longest messages are below half of it; larger ones are requested in
 * smaller batches. Parsing this much JSON blocks for about 20 ms at most.
 */
export const UPDATES_BYTES_MAX = 2 * 1024 * 1024;
/** Bytes of any other response: a message comes back with everything it quotes, a few KB. */
export const ANSWER_BYTES_MAX = 512 * 1024;
/** How much of the service's text for a refusal is passed on. */
export const REASON_MAX = 200;

/** Messages per chat that wait for a reply: more than anybody has open at once. */
export const REMEMBERED_ASKS_MAX = 100;
/** Topics per group; a session whose topic was forgotten gets a new one. */
export const REMEMBERED_TOPICS_MAX = 200;
/** Telegram: a topic's name has 1-128 characters. */
export const TOPIC_NAME_MAX = 128;

/** Times in ms, except the server's own `timeout`, which is in seconds. */
export interface TelegramTiming {
  /** getUpdates' `timeout`: 50 s is the service's maximum. */
  readonly pollSeconds: number;
  /** A poll that exceeds its own timeout by this much hangs on a dead socket. */
  readonly pollGraceMs: number;
  /** A call of a few KB: far longer than any healthy one. */
  readonly callMs: number;
  /** Checking a chat at the start delays everything, so the limit is short. */
  readonly placeMs: number;
  /** A file of some MB on a slow connection. */
  readonly uploadMs: number;
  /** A callback answer: the service forgets the query after about 15 s, and two attempts must fit. */
  readonly answerMs: number;
  /** First delay after a response or connection broke: the service is up, and a tap may be waiting. Doubles. */
  readonly lostMs: number;
  /** The longest of these delays, for this many failures in a row: with half a response before it, a tap waits for less than 3 s. */
  readonly lostMaxMs: number;
  readonly lostTries: number;
  /** First delay after any other failure; doubles. */
  readonly retryMs: number;
  /** Longest delay: after a night offline the first tap must not wait longer. */
  readonly retryMaxMs: number;
  /** First delay after another poller took over: short, so that the other one sees the conflict within seconds, too. Doubles. */
  readonly conflictMs: number;
  /** The longest of these delays: a hub that is started while this one waits sees within ten seconds that it shares the bot. */
  readonly conflictMaxMs: number;
  /**
   * How long polls must stand without a conflict until the other poller counts as gone: a poll of ours stands undisturbed for as long
   * as the other one waits, which is up to 30 s in other programs, and the service delays a conflict by 3 s.
   */
  readonly conflictQuietMs: number;
  /** A refused token rarely recovers; retry rarely. */
  readonly refusedMs: number;
  /** A server that answers long polls at once with nothing must not cause a busy loop. */
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
  conflictMs: 1_000,
  conflictMaxMs: 8_000,
  conflictQuietMs: 45_000,
  refusedMs: 300_000,
  emptyPollMs: 1_000,
};
