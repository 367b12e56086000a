/**
 * An agent's words as they stream, with the few marks of Markdown that a terminal can show: headings, fences, **bold** and `code`.
 * Every character stays where it is, so that what is shown can be copied; only styles are put around. Pure but for its memory: the same
 * text in other pieces comes out the same.
 */

const BOLD = "\u001b[1m";
const CODE = "\u001b[36m";
const DIM = "\u001b[2m";
const OFF = "\u001b[0m";

const FENCE = /^ {0,3}(?:`{3}|~{3})/;
const HEADING = /^#{1,6} /;
/** What a line begins with decides what it is; by then it is shown. */
const HEAD_LENGTH = 7;
/** Marks within a line; asterisks at the end of a piece wait for what follows them. */
const MARK = /\*+|`/g;
/** A longer run of asterisks is no mark, and waits for nothing. */
const STARS_MAX = 3;

export class Markdown {
  /** What came of a line's beginning, or of a mark, and is not shown yet. */
  #held = "";
  #atLineStart = true;
  #inFence = false;
  #line: "text" | "heading" | "fence" = "text";
  #bold = false;
  #code = false;
  /** What came last is such a run: what it goes on with is no mark, either. */
  #inLongRun = false;

  /** What it adds. */
  push(text: string): string {
    let rest = this.#held + text;
    this.#held = "";
    let shown = "";
    while (rest !== "") {
      const end = rest.indexOf("\n");
      const line = end < 0 ? rest : rest.slice(0, end);
      rest = end < 0 ? "" : rest.slice(end + 1);
      shown += this.#piece(line, end >= 0);
    }
    return shown;
  }

  /** What is still held: nothing follows. */
  end(): string {
    const rest = this.#held;
    this.#held = "";
    const shown = rest === "" ? "" : this.#styled(rest, true);
    const closed = this.#close();
    this.#atLineStart = true;
    this.#inFence = false;
    return shown + closed;
  }

  /** A piece of one line; `isWhole`: the line ends with it. */
  #piece(piece: string, isWhole: boolean): string {
    if (this.#atLineStart) {
      if (!isWhole && piece.length < HEAD_LENGTH) {
        this.#held = piece;
        return "";
      }
      this.#begin(piece);
    }
    const shown = this.#styled(piece, isWhole);
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

  #styled(piece: string, isWhole: boolean): string {
    if (this.#atLineStart) this.#begin(piece);
    if (this.#line === "fence") return piece === "" ? "" : `${DIM}${piece}${OFF}`;
    if (this.#line === "heading") return piece === "" ? "" : `${BOLD}${piece}${OFF}`;
    return this.#inline(piece, isWhole);
  }

  #inline(piece: string, isWhole: boolean): string {
    const from = this.#inLongRun ? leadingStars(piece) : 0;
    if (from === piece.length) return piece;
    // Asterisks mean something else before a blank: what follows the last ones has to be known.
    const stars = piece.length - withoutStars(piece);
    this.#inLongRun = stars > STARS_MAX;
    const end = isWhole || this.#inLongRun ? piece.length : piece.length - stars;
    this.#held = piece.slice(end);
    const marked = piece.slice(from, end).replace(MARK, (mark, at: number, whole: string) => {
      return this.#mark(mark, whole.charAt(at + mark.length));
    });
    return piece.slice(0, from) + marked;
  }

  #mark(mark: string, next: string): string {
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

  /** No style goes over a line's end. */
  #close(): string {
    const open = this.#bold || this.#code;
    this.#bold = this.#code = this.#inLongRun = false;
    return open ? OFF : "";
  }
}

function leadingStars(piece: string): number {
  let end = 0;
  while (piece[end] === "*") end += 1;
  return end;
}

/** Where the asterisks at its end begin. */
function withoutStars(piece: string): number {
  let end = piece.length;
  while (piece[end - 1] === "*") end -= 1;
  return end;
}
