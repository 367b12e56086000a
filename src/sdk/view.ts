/** An immutable view of the terminal at one instant, which rules and plans read. */

/** Colours as the terminal stores them: null is the default; a number is a palette index; a string is `#rrggbb`. */
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
  /** Text without trailing blanks. A wide character counts as one character here but as two columns. */
  readonly text: string;
  /** True if the terminal wrapped this row from the one above (no newline between them). */
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
  /** An open synchronized update (DEC 2026): the screen is only half drawn. */
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
  /** Some output was not followed: this is not the real screen until everything is redrawn (ADR 28). Absent: it is. */
  readonly unfollowed?: true;
  /** Increases with every parsed change; equal numbers mean an equal view. */
  readonly frame: number;
}

/** The cells of a screen, so that a picture can be drawn elsewhere. */
export interface ScreenCells {
  readonly cols: number;
  readonly rows: number;
  /** Null if it is hidden. */
  readonly cursor: { readonly x: number; readonly y: number } | null;
  /** Exactly `rows`, each with its runs from left to right. */
  readonly lines: readonly { readonly wrapped: boolean; readonly runs: readonly StyledRun[] }[];
}

/** Facts besides the view. Absent means unknown, never false. */
export interface Signals {
  /** Canonical input mode of the tool's tty. */
  readonly canonical?: boolean;
  readonly echo?: boolean;
  /** The foreground process is blocked reading the tty. */
  readonly blockedOnRead?: boolean;
  /** A command that the tool runs in another terminal is blocked reading that terminal. */
  readonly readsInside?: boolean;
  /** The facts above are being determined: an absent one will be known in a moment. */
  readonly ttyDue?: true;
  /** Name of the program that reads the terminal, or else leads the foreground; a script's own name where an interpreter runs one. */
  readonly foreground?: string;
  /** Declared state (OSC 7501 or another source in the adapter file). */
  readonly declared?: {
    readonly state: "idle" | "working" | "blocked" | "done" | "error";
    readonly kind?: string;
  };
  /** ms since the last output byte. */
  readonly quietMs?: number;
}
