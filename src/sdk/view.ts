/** An immutable picture of the terminal at one instant: what rules and plans look at. */

/** Colours as the terminal keeps them: null is the default; a number is a palette index; a string is `#rrggbb`. */
export type Colour = number | string | null;

export interface Style {
  readonly foreground: Colour;
  readonly background: Colour;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly inverse: boolean;
  readonly underline: boolean;
  readonly invisible: boolean;
  readonly strikethrough: boolean;
}

/** A run of cells with one style. Columns are 0-based, `end` is exclusive. */
export interface StyledRun {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly style: Style;
}

export interface ViewLine {
  /** Text without trailing blanks. A wide character counts as one character here but two columns. */
  readonly text: string;
  /** True when the terminal wrapped this row from the one above (no newline between them). */
  readonly wrapped: boolean;
  /** Styled runs, computed on first use. */
  runs(): readonly StyledRun[];
}

export interface TerminalModes {
  readonly alternateScreen: boolean;
  readonly bracketedPaste: boolean;
  /** DECCKM: arrows are `ESC O x` instead of `ESC [ x`. */
  readonly applicationCursorKeys: boolean;
  readonly focusReports: boolean;
  /** An open synchronized update (DEC 2026): the picture is half drawn. */
  readonly synchronizedUpdate: boolean;
}

export interface View {
  readonly cols: number;
  readonly rows: number;
  /** Exactly `rows` lines, top to bottom. */
  readonly lines: readonly ViewLine[];
  /** 0-based; `x` may be `cols` when a wrap is pending. */
  readonly cursor: { readonly x: number; readonly y: number; readonly visible: boolean };
  readonly modes: TerminalModes;
  readonly title: string;
  /** Up to SCROLLBACK_LINES_MAX lines that left the main screen, oldest first; empty on the alternate screen. */
  readonly scrollback: readonly string[];
  /** The tool drew what was not followed: the picture is not its screen until all is drawn anew (ADR 28). Absent: it is. */
  readonly unfollowed?: true;
  /** Rises with every parsed change; equal numbers mean an equal picture. */
  readonly frame: number;
}

/** The cells of a screen, so that a picture of it can be drawn elsewhere. */
export interface ScreenCells {
  readonly cols: number;
  readonly rows: number;
  /** Null where it is hidden. */
  readonly cursor: { readonly x: number; readonly y: number } | null;
  /** Exactly `rows`, each with its runs from left to right. */
  readonly lines: readonly { readonly wrapped: boolean; readonly runs: readonly StyledRun[] }[];
}

/** Facts besides the picture. Absent means unknown, never false. */
export interface Signals {
  /** Canonical input mode of the tool's tty. */
  readonly canonical?: boolean;
  readonly echo?: boolean;
  /** The foreground process is blocked reading the tty. */
  readonly blockedOnRead?: boolean;
  /** A command that the tool runs in a terminal of its own is blocked reading that. */
  readonly readsInside?: boolean;
  /** The facts above are being read: what is absent now will be known in a moment. */
  readonly ttyDue?: true;
  /** Base name of the foreground process. */
  readonly foreground?: string;
  /** Declared state (OSC 7501 or another source of the adapter file). */
  readonly declared?: {
    readonly state: "idle" | "working" | "blocked" | "done" | "error";
    readonly kind?: string;
  };
  /** ms since the last output byte. */
  readonly quietMs?: number;
}
