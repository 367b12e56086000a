/**
 * Styles an agent's text as it streams, with the few marks of Markdown that a terminal can show: headings, fences, **bold** and
 * `code`. Every character stays where it is, so that the text can be copied; only styles are added around it. Pure except for its
 * memory: the same text in other pieces gives the same result.
 */

const BOLD = "\u001b[1m";
const CODE = "\u001b[36m";
const DIM = "\u001b[2m";
const OFF = "\u001b[0m";

const FENCE = /^ {0,3}(?:`{3}|~{3})/;
const HEADING = /^#{1,6} /;
/** The beginning of a line decides its kind; at this length it is complete. */
const HEAD_LENGTH = 7;
/** Marks within a line. Asterisks at the end of a piece wait for the next piece. */
const MARK = /\*+|`/g;
/** A longer run of asterisks is not a mark, and waits for nothing. */
const STARS_MAX = 3;

export class Markdown {
  /** The beginning of a line, or of a mark, that is not shown yet. */
  #held = "";
  #atLineStart = true;
  #inFence = false;
  #line: "text" | "heading" | "fence" = "text";
  #bold = false;
  #code = false;
  /** The last text is such a run: its continuation is not a mark, either. */
  #inLongRun = false;

  /** Returns the text to add. */
  push(text: string): string {
    let rest = this.#held + text;
    this.#held = "";
    let shown = "";
    while (rest !== "") {
      const end = rest.indexOf("\n");
      const line = end < 0 ? rest : rest.slice(0, end);
      rest = end < 0 ? "" : rest.slice(end + 1);
      shown += this.#renderPiece(line, end >= 0);
    }
    return shown;
  }

  /** Returns the text that is still held back; nothing follows. */
  end(): string {
    const rest = this.#held;
    this.#held = "";
    const shown = rest === "" ? "" : this.#applyStyle(rest, true);
    const closed = this.#close();
    this.#atLineStart = true;
    this.#inFence = false;
    return shown + closed;
  }

  /** Renders a piece of one line; `isWhole`: the line ends with it. */
  #renderPiece(piece: string, isWhole: boolean): string {
    if (this.#atLineStart) {
      if (!isWhole && piece.length < HEAD_LENGTH) {
        this.#held = piece;
        return "";
      }
      this.#begin(piece);
    }
    const shown = this.#applyStyle(piece, isWhole);
    if (!isWhole) return shown;
    this.#atLineStart = true;
    return `${shown}${this.#close()}\n`;
  }

  #begin(line: string): void {
    this.#atLineStart = false;
    const isFence = FENCE.test(line);
    this.#line = isFence || this.#inFence ? "fence" : HEADING.test(line) ? "heading" : "text";
    if (isFence) this.#inFence = !this.#inFence;
  }

  #applyStyle(piece: string, isWhole: boolean): string {
    if (this.#atLineStart) this.#begin(piece);
    if (this.#line === "fence") return piece === "" ? "" : `${DIM}${piece}${OFF}`;
    if (this.#line === "heading") return piece === "" ? "" : `${BOLD}${piece}${OFF}`;
    return this.#renderInline(piece, isWhole);
  }

  #renderInline(piece: string, isWhole: boolean): string {
    const from = this.#inLongRun ? countLeadingStars(piece) : 0;
    if (from === piece.length) return piece;
    // Asterisks have another meaning before a blank, so what follows the last ones must be known.
    const stars = piece.length - findTrailingStars(piece);
    this.#inLongRun = stars > STARS_MAX;
    const end = isWhole || this.#inLongRun ? piece.length : piece.length - stars;
    this.#held = piece.slice(end);
    const marked = piece.slice(from, end).replace(MARK, (mark, at: number, whole: string) => {
      return this.#renderMark(mark, whole.charAt(at + mark.length));
    });
    return piece.slice(0, from) + marked;
  }

  #renderMark(mark: string, next: string): string {
    if (mark === "`") {
      this.#code = !this.#code;
      return this.#code ? `${CODE}\`` : `\`${OFF}${this.#bold ? BOLD : ""}`;
    }
    if (this.#code || mark.length < 2 || mark.length > STARS_MAX) return mark;
    if (this.#bold) {
      this.#bold = false;
      return `${mark}${OFF}`;
    }
    this.#bold = next !== "" && !/\s/.test(next);
    return this.#bold ? `${BOLD}${mark}` : mark;
  }

  /** Ends all styles, because none continues over a line's end. */
  #close(): string {
    const open = this.#bold || this.#code;
    this.#bold = this.#code = this.#inLongRun = false;
    return open ? OFF : "";
  }
}

function countLeadingStars(piece: string): number {
  let end = 0;
  while (piece[end] === "*") end += 1;
  return end;
}

/** Finds where the asterisks at its end begin. */
function findTrailingStars(piece: string): number {
  let end = piece.length;
  while (piece[end - 1] === "*") end -= 1;
  return end;
}
