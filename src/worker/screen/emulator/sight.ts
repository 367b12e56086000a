/**
 * Whether the emulator's picture is the tool's. Once a part of the output was not followed it is not, until all of it was drawn anew:
 * erased and begun at a place that is known, or scrolled out line by line.
 */

export type ScreenKind = "normal" | "alternate";

/** What is known of a screen on which something was left out. */
interface Lost {
  readonly cells: boolean;
  readonly cursor: boolean;
  /** Line feeds since then, with nothing between them that moves the cursor any other way. */
  readonly lines: number;
}

const ALL_LOST: Lost = { cells: false, cursor: false, lines: 0 };

export class Sight {
  readonly #shown: () => ScreenKind;
  /** Absent: the picture is right. */
  readonly #lost = new Map<ScreenKind, Lost>();
  /** Screens whose saved cursor stands where nobody knows. */
  readonly #savedLost = new Set<ScreenKind>();
  #needsReset = false;
  /** The normal screen may have fed more lines than the emulator, which counts its saved cursor's line from the first one it keeps. */
  #linesLost = false;
  /** Nobody knows in which colours comes what is drawn or erased next: they came back with a cursor that was not saved. */
  #penLost = false;
  #regained: () => void = () => undefined;

  /** `shown`: the screen that all output goes to now. */
  constructor(shown: () => ScreenKind) {
    this.#shown = shown;
  }

  /** The screen that is shown is right. */
  get isClear(): boolean {
    return !this.#needsReset && !this.#penLost && (this.#lost.size === 0 || !this.#lost.has(this.#shown()));
  }

  /** Called when a screen is right again. One listener. */
  onRegained(listener: () => void): void {
    this.#regained = listener;
  }

  /** Something that draws or moves was not done. */
  lose(): void {
    const shown = this.#shown();
    this.#lost.set(shown, ALL_LOST);
    if (shown === "normal") this.#loseLines();
  }

  /** Nobody knows what stands on which screen. */
  loseBoth(): void {
    for (const screen of ["normal", "alternate"] as const) {
      this.#lost.set(screen, ALL_LOST);
      this.#savedLost.add(screen);
    }
    this.#loseLines();
  }

  /** Colours were to come back, and did not. */
  losePen(): void {
    this.#penLost = true;
  }

  /** All colours are as at the start. What was drawn before is not. */
  resetPen(): void {
    if (!this.#penLost) return;
    const cursor = this.#found?.cursor ?? true;
    this.#lost.set(this.#shown(), { cells: false, cursor, lines: 0 });
    this.#penLost = false;
  }

  /** Something was not done that only a full reset (RIS) makes good. */
  loseUntilReset(): void {
    this.#needsReset = true;
  }

  /** The emulator has been reset. */
  reset(): void {
    const wasLost = !this.isClear || this.#lost.size > 0;
    this.#linesLost = false;
    this.#lost.clear();
    this.#savedLost.clear();
    this.#needsReset = this.#penLost = false;
    if (wasLost) this.#regained();
  }

  /** Cells were changed where the cursor is. */
  drew(): void {
    if (this.#linesLost) this.#fedUncounted();
    const lost = this.#found;
    if (lost?.cells && !lost.cursor) this.#lost.set(this.#shown(), { ...lost, cells: false });
  }

  /** The cursor moved from where it was, other than by text and line feeds. */
  moved(): void {
    const lost = this.#found;
    if (lost && lost.lines > 0) this.#lost.set(this.#shown(), { ...lost, lines: 0 });
  }

  /** The cursor stands where it was told to, wherever it was. */
  placed(): void {
    this.#learn({ cursor: true });
  }

  /** Every cell is blank. */
  erased(): void {
    this.#learn({ cells: true });
  }

  /** All from the cursor on is blank. `isHome`: that is everything, if the cursor is where it seems to be. */
  erasedBelow(isHome: boolean): void {
    if (isHome && this.#found?.cursor) this.erased();
    else this.drew();
  }

  /** `rows`: of the screen. By twice as many line feeds the cursor is on the last row, and all that stood above it is gone. */
  fedLine(rows: number): void {
    if (this.#linesLost) this.#fedUncounted();
    const lost = this.#found;
    if (!lost) return;
    this.drew();
    const lines = lost.lines + 1;
    this.#learn(lines >= 2 * rows ? { cells: true, cursor: true } : { lines });
  }

  savedCursor(): void {
    if (this.#found?.cursor === false) this.#savedLost.add(this.#shown());
    else if (this.#savedLost.size > 0) this.#savedLost.delete(this.#shown());
  }

  restoredCursor(): void {
    if (this.#savedLost.size > 0 || this.#lost.size > 0) this.restoredCursorOf(this.#shown());
  }

  restoredCursorOf(screen: ScreenKind): void {
    const cells = this.#lost.get(screen)?.cells ?? true;
    if (this.#savedLost.has(screen)) {
      this.#lost.set(screen, { cells, cursor: false, lines: 0 });
      this.losePen();
    } else this.#learn({ cursor: true }, screen);
  }

  /** The alternate screen came up, blank; its cursor stands where the normal one's does. */
  enteredAlternate(): void {
    const cursor = this.#lost.get("normal")?.cursor ?? true;
    if (cursor) this.#lost.delete("alternate");
    else this.#lost.set("alternate", { cells: true, cursor, lines: 0 });
  }

  /** The normal screen came back. Its cursor stands where the alternate one's did. */
  leftAlternate(): void {
    if (this.#lost.get("alternate")?.cursor !== false) return;
    const cells = this.#lost.get("normal")?.cells ?? true;
    this.#lost.set("normal", { cells, cursor: false, lines: 0 });
  }

  #loseLines(): void {
    this.#linesLost = true;
    this.#savedLost.add("normal");
  }

  /** A line may have been fed: the saved cursor's moves with it, or not, as there is room above. */
  #fedUncounted(): void {
    if (this.#shown() === "normal") this.#savedLost.add("normal");
  }

  get #found(): Lost | undefined {
    return this.#lost.size === 0 ? undefined : this.#lost.get(this.#shown());
  }

  #learn(news: Partial<Lost>, screen?: ScreenKind): void {
    if (this.#lost.size > 0) this.#learnOf(screen ?? this.#shown(), news);
  }

  #learnOf(screen: ScreenKind, news: Partial<Lost>): void {
    const lost = this.#lost.get(screen);
    if (!lost) return;
    const known = { ...lost, ...news };
    if (!known.cells || !known.cursor) this.#lost.set(screen, known);
    else {
      this.#lost.delete(screen);
      this.#regained();
    }
  }
}
