/** One look at the emulator: lines, cursor, modes. Nothing of it is put off: the emulator goes on, the picture stays. */
import type { Terminal } from "@xterm/headless";
import type { View } from "../../sdk/view.js";
import type { Rows } from "./rows.js";

interface Extras {
  readonly frame: number;
  readonly title: string;
  readonly cursorVisible: boolean;
  readonly scrollback: readonly string[];
  readonly isFollowed: boolean;
}

export function pictureOf(terminal: Terminal, rows: Rows, extras: Extras): View {
  const buffer = terminal.buffer.active;
  return {
    cols: terminal.cols,
    rows: terminal.rows,
    lines: rows.read(terminal),
    cursor: { x: buffer.cursorX, y: buffer.cursorY, visible: extras.cursorVisible },
    modes: {
      alternateScreen: buffer.type === "alternate",
      bracketedPaste: terminal.modes.bracketedPasteMode,
      applicationCursorKeys: terminal.modes.applicationCursorKeysMode,
      focusReports: terminal.modes.sendFocusMode,
      synchronizedUpdate: terminal.modes.synchronizedOutputMode,
    },
    title: extras.title,
    scrollback: extras.scrollback,
    ...(!extras.isFollowed && { unfollowed: true }),
    frame: extras.frame,
  };
}
