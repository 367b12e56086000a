export const PROMPT_BYTES_MAX = 4096;
const LINE_FEED = 10;
const ESC = 0x1b;
/**
 * Readline and fish end their line by turning bracketed paste off. Fish then turns focus reports off (under tmux), sets a title, resets
 * colours and goes to the first column; the last three only if the terminal has a title.
 */
const EDITOR_END =
  /^\x1b\[\?2004l(?:\r|(?:\x1b\[\?1004l)?(?:\x1b\]0;[^\x07]*\x07(?:\x1b\[[\d;]*m|\x1b\(B|\x0f)*\r)?)/;
const EDITOR_BYTES_MAX = 4096;
const EDITOR_BEGIN = Buffer.from("\x1b[?2004h");

export function measureEditorEnd(head: Uint8Array): number {
  const text = Buffer.from(head.subarray(0, EDITOR_BYTES_MAX)).toString("latin1");
  return EDITOR_END.exec(text)?.[0].length ?? 0;
}

/**
 * Returns the number of bytes at the end of `bytes` that a line editor has drawn: it draws after the last line feed and moves the cursor,
 * as for a prompt at the right margin.
 */
export function measureDrawing(bytes: Uint8Array): number {
  const rest = bytes.subarray(bytes.lastIndexOf(LINE_FEED) + 1);
  return rest.includes(ESC) ? rest.length : 0;
}

/** Returns the number of bytes at the end of `tail` that draw the prompt. `line`: the last line as a terminal shows it. */
export function measurePrompt(tail: Uint8Array, prompt: string, line: string): number {
  if (prompt === "" || !line.endsWith(prompt)) return 0;
  const drawn = Buffer.from(prompt);
  const end = Buffer.from(tail);
  if (end.subarray(-drawn.length).equals(drawn)) {
    const isBegun = end.subarray(0, -drawn.length).subarray(-EDITOR_BEGIN.length).equals(EDITOR_BEGIN);
    return drawn.length + (isBegun ? EDITOR_BEGIN.length : 0);
  }
  // The prompt contains colours. Output of the command in the same line could not be distinguished from it.
  return line === prompt ? tail.length - tail.lastIndexOf(LINE_FEED) - 1 : 0;
}
