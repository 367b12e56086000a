/** Gives a terminal back that a tool had switched to its own use when it was ended in the middle. */

/** Private modes that are off in a shell: application arrows, mouse, focus, alternate screen, paste marks, held-back drawing. */
const OFF_AT_REST = ["1", "1000", "1002", "1003", "1004", "1006", "47", "1047", "1049", "2004", "2026"];
const CURSOR_SHOWN = "25";
const MODE_CHANGE = /\u001b\[\?([0-9;]{1,40})([hl])/g;
const KEYBOARD_PUSH = /\u001b\[>[0-9;]{0,20}u/;
const KEYBOARD_POP = "\u001b[<u";
const PLAIN_STYLE = "\u001b[m";

/** What undoes the modes that `output` (bytes as latin1) left switched. */
export function undoModes(output: string): string {
  const last = new Map<string, string>();
  for (const [, modes = "", change = ""] of output.matchAll(MODE_CHANGE))
    for (const mode of modes.split(";")) last.set(mode, change);
  const off = OFF_AT_REST.filter((mode) => last.get(mode) === "h").map((mode) => `\u001b[?${mode}l`);
  const shown = last.get(CURSOR_SHOWN) === "l" ? [`\u001b[?${CURSOR_SHOWN}h`] : [];
  const pushed = output.search(KEYBOARD_PUSH);
  const popped = pushed === -1 || output.indexOf(KEYBOARD_POP, pushed) !== -1;
  return [...(popped ? [] : [KEYBOARD_POP]), ...off, ...shown, PLAIN_STYLE].join("");
}
