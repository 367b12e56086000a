/** Why an answer was refused: an expected outcome, shown to the person in plain words and audited. */

export const REFUSAL_TEXT = {
  used: "This prompt is already answered.",
  expired: "This prompt has expired; nothing was typed.",
  unknown_prompt: "There is no such open prompt.",
  unknown_card:
    "This AtlasBridge has no record of this card and cannot answer it. Nothing was typed. Check the terminal, or write: prompts",
  foreign_card:
    "Another AtlasBridge uses this bot: this one did not post this card, and typed nothing. Answer it at the terminal, and give each machine a bot of its own.",
  not_allowed: "You may not answer this prompt.",
  option_unknown: "That is not one of the choices; nothing was typed.",
  no_default: "This prompt has no safe default answer. Nothing was typed.",
  empty: "This prompt needs a text.",
  form_incomplete: "This prompt has several questions: answer each on its own line. Nothing was typed.",
  text_required: "This choice needs a text.",
  text_not_taken: "This choice takes no text; nothing was typed.",
  too_long: "That text is too long; nothing was typed.",
  control_characters: "That text contains control characters; nothing was typed.",
  several_lines: "This prompt takes only one line; nothing was typed.",
  at_terminal: "This can only be answered at the terminal; nothing was typed.",
  secret: "Secrets can only be typed at the terminal.",
  screen_moved: "Not applied: the screen changed. Nothing was typed.",
  not_read: "Not applied: the program that asked no longer waits for this answer. Nothing was typed.",
  typing: "Not applied: somebody was typing at the terminal. AtlasBridge typed nothing.",
  field_not_empty:
    "Not applied: text already stands in the field, and AtlasBridge cannot clear it. AtlasBridge typed nothing.",
  no_plan: "Not applied: the choice is no longer on the screen as it was shown. Nothing was typed.",
  write_failed: "Not applied: writing to the terminal failed. Nothing was typed.",
  not_recorded: "Not applied: the answer could not be recorded first. Nothing was typed.",
  unproved: "Not applied: the audit does not prove that a person gave this answer. Nothing was typed.",
  session_gone: "The session has ended; nothing was typed.",
  withdrawn: "The prompt is gone: it was answered at the terminal or disappeared.",
  superseded: "The prompt was replaced by another one.",
  paused: "AtlasBridge is paused; nothing was typed.",
  forwarded: "This is a copy; answer the original message.",
  elsewhere: "This prompt was sent to another chat. Answer it there; nothing was typed.",
  edited: "An edited message does not count as an answer; write a new one.",
  media: "AtlasBridge takes only text: it passes no pictures, voice messages or files on. Nothing was typed.",
  hidden: "Part of this is hidden because it looks like a secret: no answer was given.",
  supervised:
    "A supervised tool may not answer prompts, and neither may programs that it started, even after it has ended, or that run in its terminal. Answer from another terminal. Nothing was typed.",
  outsider: "Only members of this workspace may answer; nothing was typed.",
  anonymous: "Write under your own name, so that AtlasBridge knows who you are. Nothing was typed.",
  reads_as_answer:
    "That looks like an answer, but no prompt is open there. Nothing was typed. To send it as a task, reply to the tool's last message.",
  not_idle: "Not sent: the tool is not idle. Nothing was typed.",
  composer_command:
    "Not sent: the tool may run this as a command (such as exit, or text that begins with a sign). Write a sentence instead. Nothing was typed.",
  no_composer:
    "Not sent: AtlasBridge does not know this tool's input box. Type it at the terminal. A shell or interpreter takes commands from here where it was started with `atlasbridge run --console`.",
  draft:
    "Not sent: there is already text in the tool's input box. Send it or delete it at the terminal, then give the task again. Nothing was typed.",
  number_needed: "This yes needs the number that the tool's terminal shows; nothing was typed.",
  number_wrong: "That is not the number; nothing was typed.",
  number_blocked:
    "Three wrong numbers: that answer is now only possible at the tool's own terminal. Nothing was typed.",
  more_needed: "More people must approve; nothing was typed yet.",
  not_a_person:
    "Several people must approve, and it is not known who you are: list cli:local under your name in `people`. Nothing was typed.",
  not_grantable: "No grant can be made for this; nothing was typed.",
  older_result:
    "Nothing was typed: a further command was given since, or the console was closed. The newest result has the buttons.",
  not_alike: "It asks for something else than the first one; nothing was typed.",
  wrong_nonce: "That answer does not belong to this prompt; nothing was typed.",
} as const;

/** Names a reason; `createRefusal` has the words of each. */
export type RefusalCode = keyof typeof REFUSAL_TEXT;

/** Why an answer was not typed. */
export interface Refusal {
  readonly code: RefusalCode;
  /** For people; may name who answered first. Never contains reply text or screen text. */
  readonly text: string;
}

/** Without `text`: with the words that belong to the code. */
export function createRefusal(code: RefusalCode, text: string = REFUSAL_TEXT[code]): Refusal {
  return { code, text };
}
