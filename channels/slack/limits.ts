/** Every limit of the channel with its reason. Sizes are Slack's own; times may be shortened by tests. */

/** Slack: the value of a button has at most 2000 characters. */
export const BUTTON_VALUE_MAX = 2000;
/** Slack: the text of a button and of an option has at most 75 characters. */
export const BUTTON_TEXT_MAX = 75;
/** What a phone shows of a button; a longer label is written out in the card as well. */
export const BUTTON_SHOWN_MAX = 40;
/** Slack: an actions block holds 25 elements. */
export const ACTIONS_MAX = 25;
/** Thirty buttons with their dialogs stay below what Slack takes as text of one message; more are chosen in a form. */
export const BUTTONS_MAX = 30;
/** Slack: a menu holds 100 options. */
export const OPTIONS_MAX = 100;
/** Slack: checkboxes and radio buttons hold ten. */
export const BOXES_MAX = 10;
/** Slack: text of a confirmation has at most 300 characters; the label in it is shortened to leave room for the reason. */
export const CONFIRM_LABEL_MAX = 120;
/** Slack: a form has 100 blocks, and a question takes up to three. */
export const FIELDS_MAX = 30;
/** Slack: a text input takes 3000 characters. */
export const INPUT_MAX = 3000;
/** Slack: a home tab has 100 blocks; a screenful is enough. */
export const HOME_ITEMS_MAX = 20;
/** Longer than any text of ours; Slack cuts messages at 40 000. */
export const TEXT_MAX = 3000;
/** What a notification shows of a card. */
export const NOTIFICATION_MAX = 300;
/** A question is one or two sentences; beyond this it goes whole into the attached file. */
export const QUESTION_MAX = 800;
/** One label in the card's list of choices. */
export const LABEL_MAX = 300;
/** The whole list of choices in a card. */
export const CHOICES_MAX = 1500;
/** Tool, label, place: identification, not content. */
export const NAME_MAX = 120;
/** What stands in a card of which the rest is attached: a screenful, so that the buttons stay in reach. */
export const PREVIEW_MAX = 2000;
/** And no more lines than this, however short they are. */
export const PREVIEW_LINES_MAX = 30;
/** The outcome is written into the card afterwards. */
export const OUTCOME_MAX = 300;
/** Whom a card calls; a crowd is not called by name. */
export const ADDRESSEES_MAX = 20;
/** A sender's name as we pass it on. */
export const DISPLAY_NAME_MAX = 128;
/** Files already sent for cards that were not: enough for every delivery that can be between two tries. */
export const REMEMBERED_FILES_MAX = 64;
/** Threads remembered a place; a session whose thread was forgotten gets a new one. */
export const REMEMBERED_THREADS_MAX = 200;
/** People whose open home tab is kept fresh. */
export const REMEMBERED_HOMES_MAX = 20;
/** The longest that a service may ask us to wait; beyond it the answer is taken for damaged. */
export const RETRY_AFTER_MAX_MS = 3_600_000;

/** Bytes of an answer to a call: a message comes back with all its blocks, some ten KB. */
export const ANSWER_BYTES_MAX = 512 * 1024;
/** Bytes of one message over the socket, unpacked: an interaction carries its whole card, or its whole form. */
export const ENVELOPE_BYTES_MAX = 1024 * 1024;

/** Times in ms. */
export interface SlackTiming {
  /** A call that carries some KB: far beyond any healthy one. */
  readonly callMs: number;
  /** A file of some MB on a slow line. */
  readonly uploadMs: number;
  /** What must happen while a person looks: an answer, a form. A form's trigger lives 3 s. */
  readonly answerMs: number;
  /** Storing is tried again within this; Slack gives 3 s to acknowledge, and then tells the person that it failed. */
  readonly storeMs: number;
  readonly storeRetryMs: number;
  /** After the connection stands, the service says hello within a second. */
  readonly helloMs: number;
  /** Without a pong for this long a connection is dead. Pings go out three times as often. */
  readonly pongMs: number;
  /** The service pings every few seconds; without one for this long it is dead, too. */
  readonly pingMs: number;
  /** How often a connection is looked at that may have died without a word from its client. */
  readonly watchMs: number;
  /** A goodbye needs a moment to leave; the service itself never closes the line. */
  readonly goodbyeMs: number;
  /** A connection that is replaced stays this long, for what is still under way to it. */
  readonly drainMs: number;
  /** First wait after an answer or a connection broke: the service is there, and a tap may be waiting. Doubles. */
  readonly lostMs: number;
  /** First wait after any other failure; doubles. */
  readonly retryMs: number;
  /** Longest wait: after a night offline the first tap must not wait longer. */
  readonly retryMaxMs: number;
  /** A connection that stood this long was a good one: the next failure counts as the first. */
  readonly stableMs: number;
  /** Too many connections: those of dead programs are forgotten by the service after a while. */
  readonly crowdedMs: number;
  readonly crowdedMaxMs: number;
  /** While another program takes some of the answers, look this often whether it is gone. Slack grants one connection a minute. */
  readonly sharedMs: number;
  /** A refused token rarely comes back to life; ask seldom, but ask. */
  readonly refusedMs: number;
  /** Changes of the home tab within this are shown at once. */
  readonly homeMs: number;
}

export const TIMING: SlackTiming = {
  callMs: 30_000,
  uploadMs: 180_000,
  answerMs: 5_000,
  storeMs: 2_500,
  storeRetryMs: 200,
  helloMs: 15_000,
  pongMs: 10_000,
  pingMs: 60_000,
  watchMs: 2_000,
  goodbyeMs: 200,
  drainMs: 2_000,
  lostMs: 250,
  retryMs: 1_000,
  retryMaxMs: 30_000,
  stableMs: 60_000,
  crowdedMs: 10_000,
  crowdedMaxMs: 120_000,
  sharedMs: 120_000,
  refusedMs: 300_000,
  homeMs: 1_500,
};
