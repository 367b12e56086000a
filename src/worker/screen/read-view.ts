/** Reads lines, cursor and modes of the emulator at once: the emulator continues, and the view must not change. */
import type { Terminal } from "@xterm/headless";
import type { View } from "../../sdk/view.js";
import type { RowReader } from "./rows.js";

interface ViewExtras {
  readonly frame: number;
  readonly title: string;
  readonly cursorVisible: boolean;
  readonly scrollback: readonly string[];
  readonly isFollowed: boolean;
}

export function readView(terminal: Terminal, rows: RowReader, extras: ViewExtras): View {
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
