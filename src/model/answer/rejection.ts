/** Why an answer was not taken: an expected outcome, told to the person in plain words and audited. */

export const REJECTION_TEXT = {
  used: "This question was answered before.",
  expired: "This question has expired; nothing was typed.",
  unknown_prompt: "There is no such open question.",
  not_allowed: "You may not answer this question.",
  option_unknown: "That is not one of the choices; nothing was typed.",
  no_default: "This question has no safe default: no one answer only says no. Nothing was typed.",
  empty: "This question needs an answer with text.",
  form_incomplete: "These are several questions: answer each on a line of its own. Nothing was typed.",
  text_required: "This choice needs a text with it.",
  text_not_taken: "This choice takes no text; nothing was typed.",
  too_long: "That text is too long; nothing was typed.",
  control_characters: "That text holds control characters; nothing was typed.",
  several_lines: "That text has several lines and this question takes one; nothing was typed.",
  at_terminal: "This is answered at the terminal only; nothing was typed.",
  secret: "Secrets are typed at the terminal only.",
  screen_moved: "Not applied: the screen moved. Nothing was typed.",
  not_read:
    "Not applied: the program that asked does not wait for an answer any more, or another one does. Nothing was typed.",
  typing: "Not applied: somebody was typing at the terminal. Nothing was typed.",
  no_plan: "Not applied: the wanted choice is not on the screen as it was shown. Nothing was typed.",
  write_failed: "Not applied: the terminal did not take it. Nothing was typed.",
  not_recorded: "Not applied: the answer could not be recorded first. Nothing was typed.",
  unproved: "Not applied: nothing proves that this answer was given. Nothing was typed.",
  session_gone: "The session has ended; nothing was typed.",
  withdrawn: "The question is gone: it was answered at the terminal or left the screen.",
  superseded: "The question was replaced by another one.",
  paused: "AtlasBridge is paused; nothing was typed.",
  forwarded: "This is a copy; answer the question where it was asked.",
  elsewhere: "This question is not asked here. Answer it where it was asked; nothing was typed.",
  edited: "A message that was changed answers nothing; write a new one.",
  hidden: "Part of this is hidden because it looks like a secret: nothing was answered.",
  supervised:
    "A supervised tool may not answer questions, and neither may what it starts or what runs in its terminal. Answer from another terminal. Nothing was typed.",
  outsider: "Only members of this workspace may answer; nothing was typed.",
  anonymous: "Write under your own name: nobody can tell here who you are. Nothing was typed.",
  reads_as_answer:
    "That reads like an answer, and nothing is asked there now. Nothing was typed. If it is a task: reply with it to the tool's last message.",
  not_idle: "Not given: the tool was not waiting for its next task. Nothing was typed.",
  composer_command:
    "Not given: the tool would take that for a command, as it does words such as exit and what begins with a sign, and would ask nobody. Say it in a sentence. Nothing was typed.",
  no_composer: "Not given: AtlasBridge does not know this tool's input box. Type it at the terminal.",
  draft: "Not given: something stands in the tool's input box already. Nothing was typed.",
  wrong_nonce: "That answer did not belong to this question; nothing was typed.",
} as const;

export type RejectionCode = keyof typeof REJECTION_TEXT;

export interface Rejection {
  readonly code: RejectionCode;
  /** For people; may name who answered first. Never holds reply text or screen text. */
  readonly text: string;
}

export function rejection(code: RejectionCode, text: string = REJECTION_TEXT[code]): Rejection {
  return { code, text };
}
