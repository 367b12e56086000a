/** What a line editor writes around the output of a command, and is none of it. */

/** A prompt with its colours is shorter. */
export const PROMPT_BYTES_MAX = 4096;
const LINE_FEED = 10;
const ESC = 0x1b;
/**
 * Readline and fish end their line with the end of bracketed paste. Behind it fish ends the reports of focus, under tmux, sets a title and
 * plain colours, in the terminal's own way, and goes to the first column. Where a terminal has no title it does neither of the last three.
 */
const EDITOR_END =
  /^\x1b\[\?2004l(?:\r|(?:\x1b\[\?1004l)?(?:\x1b\]0;[^\x07]*\x07(?:\x1b\[[\d;]*m|\x1b\(B|\x0f)*\r)?)/;
/** A title is shorter. */
const EDITOR_BYTES_MAX = 4096;
/** In front of the next prompt bracketed paste begins. */
const EDITOR_BEGIN = Buffer.from("\x1b[?2004h");

/** The number of bytes in front of the output. */
export function measureEditorEnd(head: Uint8Array): number {
  const text = Buffer.from(head.subarray(0, EDITOR_BYTES_MAX)).toString("latin1");
  return EDITOR_END.exec(text)?.[0].length ?? 0;
}

/**
 * The number of bytes at the end of `bytes`, which came behind a prompt, that a line editor has drawn: it draws behind the last line feed,
 * as a prompt at the right margin, and moves the cursor for that.
 */
export function measureDrawing(bytes: Uint8Array): number {
  const rest = bytes.subarray(bytes.lastIndexOf(LINE_FEED) + 1);
  return rest.includes(ESC) ? rest.length : 0;
}

/** The bytes at the end of `tail` that draw the prompt. `line`: the line that they end in, as a terminal shows it. */
export function measurePrompt(tail: Uint8Array, prompt: string, line: string): number {
  if (prompt === "" || !line.endsWith(prompt)) return 0;
  const drawn = Buffer.from(prompt);
  const end = Buffer.from(tail);
  if (end.subarray(-drawn.length).equals(drawn)) {
    const isBegun = end.subarray(0, -drawn.length).subarray(-EDITOR_BEGIN.length).equals(EDITOR_BEGIN);
    return drawn.length + (isBegun ? EDITOR_BEGIN.length : 0);
  }
  // Colours stand in it. What the command printed in the same line could not be told from it.
  return line === prompt ? tail.length - tail.lastIndexOf(LINE_FEED) - 1 : 0;
}
