/** Every limit of the channel with its reason. Sizes are Slack's own; only tests shorten times. */

/** Slack: the value of a button has at most 2000 characters. */
export const BUTTON_VALUE_MAX = 2000;
/** Slack: the text of a button and of an option has at most 75 characters. */
export const BUTTON_TEXT_MAX = 75;
/** What a phone shows of a button; a longer label is also in the card's list. */
export const BUTTON_SHOWN_MAX = 40;
/** Slack: an actions block holds 25 elements. */
export const ACTIONS_MAX = 25;
/** Thirty buttons with their dialogs stay below Slack's limit for one message; with more, people choose in a form. */
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
/** Slack: a home tab has 100 blocks; one screenful is enough. */
export const HOME_ITEMS_MAX = 20;
/** Slack: a text of a section has at most 3000 characters. Content is shown in as much. */
export const TEXT_MAX = 3000;
/** What a notification shows of a card. */
export const NOTIFICATION_MAX = 300;
/** A question is one or two sentences; a longer one goes completely into the attached file. */
export const QUESTION_MAX = 800;
/** One label in the card's list of choices. */
export const LABEL_MAX = 300;
/** The whole list of choices in a card. */
export const CHOICES_MAX = 1500;
/** Tool, machine, label: identification, not content. */
export const NAME_MAX = 120;
/** The outcome is added to the card later. */
export const OUTCOME_MAX = 300;
/** How many people a card mentions; larger groups are not mentioned by name. */
export const ADDRESSEES_MAX = 20;
/** Longest sender name that we pass on. */
export const DISPLAY_NAME_MAX = 128;
/** Files already sent whose cards failed: enough for every delivery between two tries. */
export const REMEMBERED_FILES_MAX = 64;
/** Remembered threads per place; a session whose thread was forgotten gets a new one. */
export const REMEMBERED_THREADS_MAX = 200;
/** People whose home tab is updated. */
export const REMEMBERED_HOMES_MAX = 20;

/** Bytes of a response to a call: a message comes back with all its blocks, about ten KB. */
export const ANSWER_BYTES_MAX = 512 * 1024;
/** Bytes of one unpacked message over the socket: an interaction contains its whole card or form. */
export const ENVELOPE_BYTES_MAX = 1024 * 1024;

/** Times in ms. */
export interface SlackTiming {
  /** A call of a few KB: far longer than any healthy one. */
  readonly callMs: number;
  /** A file of some MB on a slow connection. */
  readonly uploadMs: number;
  /** Calls that a person waits for: a reply, a form. A form's trigger is valid for 3 s. */
  readonly answerMs: number;
  /** Storing is retried within this time; Slack allows 3 s for the acknowledgement, then reports a failure to the person. */
  readonly storeMs: number;
  readonly storeRetryMs: number;
  /** Once connected, the service says hello within a second. */
  readonly helloMs: number;
  /** Without a pong for this long a connection is dead. Pings are sent three times as often. */
  readonly pongMs: number;
  /** The service pings every few seconds; without a ping for this long it is dead too. */
  readonly pingMs: number;
  /** How often a connection is checked that may have died unnoticed by its client. */
  readonly watchMs: number;
  /** A goodbye needs a moment to be sent; the service itself never closes the connection. */
  readonly goodbyeMs: number;
  /** A replaced connection stays open this long for messages still on the way. */
  readonly drainMs: number;
  /** First delay after a response or connection broke: the service is up, and a tap may be waiting. Doubles. */
  readonly lostMs: number;
  /** First delay after any other failure; doubles. */
  readonly retryMs: number;
  /** Longest delay: after a night offline the first tap must not wait longer. */
  readonly retryMaxMs: number;
  /** A connection that lasted this long was good: the next failure counts as the first. */
  readonly stableMs: number;
  /** Too many connections: the service forgets those of dead programs after a while. */
  readonly crowdedMs: number;
  readonly crowdedMaxMs: number;
  /** While another program receives some of the answers, check this often whether it is gone. Slack allows one connection a minute. */
  readonly sharedMs: number;
  /**
   * Otherwise check this often whether one has come: only a hello tells it, and the instant at which a connection is replaced may
   * cost a tap.
   */
  readonly aloneMs: number;
  /** A refused token rarely recovers; retry rarely. */
  readonly refusedMs: number;
  /** Changes of the home tab within this time are shown together. */
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
  aloneMs: 300_000,
  refusedMs: 300_000,
  homeMs: 1_500,
};
