/**
 * Tracks the last line of the text above an input line. Text comes in pieces, and the input line is below it. If the last line is
 * unfinished, the cursor leaves it for the input line, and the text continues there afterwards, so that nothing is lost or torn
 * apart.
 */
import { createInterface } from "node:readline";
import { PassThrough, Writable } from "node:stream";

const UP = "\u001b[1A";
/** The end of a longer unfinished line is not measured: the text after it begins on a new row. */
const MEASURED_LENGTH_MAX = 16 * 1024;

export class LastLine {
  readonly #columns: () => number;
  /** The unfinished text on it. */
  #text = "";
  /** Whether the cursor is at the beginning of the row below it. */
  #isLeft = false;

  constructor(columns: () => number) {
    this.#columns = columns;
  }

  /** Returns what must be written so that the next row is a new one. */
  breakLine(): string {
    if (this.#text === "" || this.#isLeft) return "";
    this.#isLeft = true;
    return "\r\n";
  }

  /** Returns what must be written so that this text follows the last one. */
  append(text: string): string {
    const back = this.#isLeft ? this.#moveBack(text) : "";
    this.#isLeft = false;
    const end = text.lastIndexOf("\n");
    this.#text = end < 0 ? this.#text + text : text.slice(end + 1);
    return back + text;
  }

  /** Call when the cursor is at the beginning of a row, and no text above it will be continued. */
  reset(): void {
    this.#text = "";
    this.#isLeft = false;
  }

  #moveBack(text: string): string {
    if (this.#text.length > MEASURED_LENGTH_MAX) return "";
    const column = measureColumn(this.#text, this.#columns());
    if (column > 0) return `${UP}\u001b[${column}C`;
    // Its row is full: only a line break still belongs to it.
    return /^\r?\n/.test(text) ? UP : "";
  }
}

/** Measures the cursor's column after a text, on a terminal with this many columns, as the input line itself counts. */
function measureColumn(text: string, columns: number): number {
  const output = Object.assign(new Writable({ write: (_, __, done) => done() }), { columns });
  const ruler = createInterface({ input: new PassThrough(), output, terminal: true, prompt: text });
  const { cols } = ruler.getCursorPos();
  ruler.close();
  return cols;
}
