/** Which session ids of tools can be shown to people and used in command lines. Pure. */

/** An id that begins with `-` would be read as an option, and other characters are not safe to paste into a shell. */
const NAME = /^[A-Za-z0-9][\w.:-]{0,199}$/;

/** Whether the id can be used in a command line as it is. Other ids are never shown. */
export function isSessionName(text: string): boolean {
  return NAME.test(text);
}
