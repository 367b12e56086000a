/** The name by which a tool knows one of its sessions, as far as it is handed to people and to command lines. Pure. */

/** Names are words: one that begins as an option would be read as one, and one with other signs is none that a person may paste. */
const NAME = /^[A-Za-z0-9][\w.:-]{0,199}$/;

/** Whether it can stand in a command line as it is. What a tool calls a session otherwise is offered to nobody. */
export function isSessionName(text: string): boolean {
  return NAME.test(text);
}
