/** An id that begins with `-` would be read as an option, and other characters are not safe to paste into a shell. */
const NAME = /^[A-Za-z0-9][\w.:-]{0,199}$/;

export function isSessionName(text: string): boolean {
  return NAME.test(text);
}
