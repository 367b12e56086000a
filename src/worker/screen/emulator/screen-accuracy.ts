/**
 * Tracks whether the emulator's picture equals the tool's. Once a part of the output was not followed, it does not, until
 * everything was drawn again: erased and begun at a known place, or scrolled out line by line.
 */

export type ScreenKind = "normal" | "alternate";

/** The known state of a screen with omitted output. */
interface LostState {
  readonly cells: boolean;
  readonly cursor: boolean;
  /** Number of line feeds since then, if nothing between them moved the cursor in any other way. */
  readonly lines: number;
}

const ALL_LOST: LostState = { cells: false, cursor: false, lines: 0 };

export class ScreenAccuracy {
  readonly #shown: () => ScreenKind;
  /** The screens whose picture is wrong. */
  readonly #lost = new Map<ScreenKind, LostState>();
  /** Screens whose saved cursor is at an unknown place. */
  readonly #savedLost = new Set<ScreenKind>();
  #needsReset = false;
  /**
   * The normal screen may have scrolled more lines than the emulator, which counts the saved cursor's line from the first line it
   * keeps.
   */
  #linesLost = false;
  /** The current colours are unknown: they were restored with a cursor that was not saved. */
  #penLost = false;
  #onRecovered: () => void = () => undefined;

  /** `shown` returns the screen that all output goes to now. */
  constructor(shown: () => ScreenKind) {
    this.#shown = shown;
  }

  get isAccurate(): boolean {
    return !this.#needsReset && !this.#penLost && (this.#lost.size === 0 || !this.#lost.has(this.#shown()));
  }

  /** Called when the picture of a screen is right again. One listener. */
  onRecovered(listener: () => void): void {
    this.#onRecovered = listener;
  }

  /** Call when something that draws or moves was skipped. */
  markLost(): void {
    const shown = this.#shown();
    this.#lost.set(shown, ALL_LOST);
    if (shown === "normal") this.#markLinesLost();
  }

  markBothLost(): void {
    for (const screen of ["normal", "alternate"] as const) {
      this.#lost.set(screen, ALL_LOST);
      this.#savedLost.add(screen);
    }
    this.#markLinesLost();
  }

  /** Call when colours should have been restored, and were not. */
  markPenLost(): void {
    this.#penLost = true;
  }

  /** Call when all colours are reset. Earlier drawings stay wrong. */
  resetPen(): void {
    if (!this.#penLost) return;
    const cursor = this.#lostHere?.cursor ?? true;
    this.#lost.set(this.#shown(), { cells: false, cursor, lines: 0 });
    this.#penLost = false;
  }

  /** Call when something was skipped that only a full reset (RIS) repairs. */
  markLostUntilReset(): void {
    this.#needsReset = true;
  }

  reset(): void {
    const wasLost = !this.isAccurate || this.#lost.size > 0;
    this.#linesLost = false;
    this.#lost.clear();
    this.#savedLost.clear();
    this.#needsReset = this.#penLost = false;
    if (wasLost) this.#onRecovered();
  }

  noteDraw(): void {
    if (this.#linesLost) this.#noteUncountedLine();
    const lost = this.#lostHere;
    if (lost?.cells && !lost.cursor) this.#lost.set(this.#shown(), { ...lost, cells: false });
  }

  /** Call when the cursor was moved relative to its place, other than by text and line feeds. */
  noteMove(): void {
    const lost = this.#lostHere;
    if (lost && lost.lines > 0) this.#lost.set(this.#shown(), { ...lost, lines: 0 });
  }

  /** Call when the cursor was set to an absolute position. */
  notePlacement(): void {
    this.#learn({ cursor: true });
  }

  noteErase(): void {
    this.#learn({ cells: true });
  }

  /** Call when everything from the cursor on was erased. `isHome`: that is the whole screen, if the cursor is where it seems to be. */
  noteEraseBelow(isHome: boolean): void {
    if (isHome && this.#lostHere?.cursor) this.noteErase();
    else this.noteDraw();
  }

  /** `rows`: of the screen. After twice as many line feeds the cursor is on the last row, and everything above it has scrolled out. */
  noteLineFeed(rows: number): void {
    if (this.#linesLost) this.#noteUncountedLine();
    const lost = this.#lostHere;
    if (!lost) return;
    this.noteDraw();
    const lines = lost.lines + 1;
    this.#learn(lines >= 2 * rows ? { cells: true, cursor: true } : { lines });
  }

  noteCursorSave(): void {
    if (this.#lostHere?.cursor === false) this.#savedLost.add(this.#shown());
    else if (this.#savedLost.size > 0) this.#savedLost.delete(this.#shown());
  }

  noteCursorRestore(): void {
    if (this.#savedLost.size > 0 || this.#lost.size > 0) this.noteCursorRestoreOn(this.#shown());
  }

  noteCursorRestoreOn(screen: ScreenKind): void {
    const cells = this.#lost.get(screen)?.cells ?? true;
    if (this.#savedLost.has(screen)) {
      this.#lost.set(screen, { cells, cursor: false, lines: 0 });
      this.markPenLost();
    } else this.#learn({ cursor: true }, screen);
  }

  /** Call when the alternate screen appeared. It is blank, and its cursor is where the normal screen's cursor was. */
  noteEnterAlternate(): void {
    const cursor = this.#lost.get("normal")?.cursor ?? true;
    if (cursor) this.#lost.delete("alternate");
    else this.#lost.set("alternate", { cells: true, cursor, lines: 0 });
  }

  /** Call when the normal screen came back. Its cursor is where the alternate screen's cursor was. */
  noteLeaveAlternate(): void {
    if (this.#lost.get("alternate")?.cursor !== false) return;
    const cells = this.#lost.get("normal")?.cells ?? true;
    this.#lost.set("normal", { cells, cursor: false, lines: 0 });
  }

  #markLinesLost(): void {
    this.#linesLost = true;
    this.#savedLost.add("normal");
  }

  /** A line may have been scrolled. Whether the saved cursor's line moves with it depends on the room above. */
  #noteUncountedLine(): void {
    if (this.#shown() === "normal") this.#savedLost.add("normal");
  }

  get #lostHere(): LostState | undefined {
    return this.#lost.size === 0 ? undefined : this.#lost.get(this.#shown());
  }

  #learn(news: Partial<LostState>, screen?: ScreenKind): void {
    if (this.#lost.size > 0) this.#learnOn(screen ?? this.#shown(), news);
  }

  #learnOn(screen: ScreenKind, news: Partial<LostState>): void {
    const lost = this.#lost.get(screen);
    if (!lost) return;
    const known = { ...lost, ...news };
    if (!known.cells || !known.cursor) this.#lost.set(screen, known);
    else {
      this.#lost.delete(screen);
      this.#onRecovered();
    }
  }
}
