/** Keeps the lines that left the main screen. They are text and only appended to, so that a view can share them without copying. */
import type { IMarker, Terminal } from "@xterm/headless";
import { readText } from "./rows.js";

/** A dialog with a long file is drawn partly above the screen. 500 lines hold every dialog seen so far, at about 1 MB. */
export const SCROLLBACK_LINES_MAX = 500;

export class Scrollback {
  readonly #terminal: Terminal;
  #lines: readonly string[] = [];
  /** Marks the first line that was still on the screen at the last look; the marker moves with the text. */
  #marker: IMarker | undefined;
  /** The lines above it are not what the tool has written. */
  #floor: IMarker | undefined;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Oldest first; empty on the alternate screen, which has none. */
  lines(): readonly string[] {
    const buffer = this.#terminal.buffer.active;
    if (buffer.type === "alternate") return [];
    const known = this.#marker?.isDisposed === false ? this.#marker.line : null;
    if (known === null || known > buffer.baseY || this.#lines.length > buffer.baseY) {
      this.#lines = this.#read(0, buffer.baseY);
    } else if (known < buffer.baseY) {
      this.#lines = [...this.#lines, ...this.#read(known, buffer.baseY)].slice(-SCROLLBACK_LINES_MAX);
    }
    this.#mark();
    return this.#lines;
  }

  /** Call after a resize: lines are rewrapped. */
  invalidate(): void {
    this.#marker?.dispose();
    this.#marker = undefined;
  }

  /** Call when the lines that left the screen so far are wrong: they are not shown any more. */
  forget(): void {
    this.#floor?.dispose();
    const { cursorY, type } = this.#terminal.buffer.active;
    this.#floor = type === "normal" ? this.#terminal.registerMarker(-cursorY) : undefined;
    this.invalidate();
  }

  #mark(): void {
    const buffer = this.#terminal.buffer.active;
    if (this.#marker && !this.#marker.isDisposed && this.#marker.line === buffer.baseY) return;
    this.#marker?.dispose();
    // The offset of a marker counts from the cursor's row.
    this.#marker = this.#terminal.registerMarker(-buffer.cursorY);
  }

  #read(from: number, to: number): string[] {
    const buffer = this.#terminal.buffer.active;
    const lines: string[] = [];
    const floor = this.#floor?.isDisposed === false ? this.#floor.line : 0;
    for (let y = Math.max(from, floor, to - SCROLLBACK_LINES_MAX); y < to; y++) {
      lines.push(readText(buffer.getLine(y)));
    }
    return lines;
  }
}
