/**
 * The end of the text above an input line. Text comes in pieces, and the input line stands below it: where the last line is not ended
 * yet it is left for that, and gone on with afterwards, so that nothing is lost and nothing is torn apart.
 */
import { createInterface } from "node:readline";
import { PassThrough, Writable } from "node:stream";

const UP = "\u001b[1A";
/** Of a longer unended line nobody measures where it ends: what follows it begins a row of its own. */
const MEASURED_LENGTH_MAX = 16 * 1024;

export class LastLine {
  readonly #columns: () => number;
  /** What stands on it, unended. */
  #text = "";
  /** The cursor stands at the beginning of the row below it. */
  #isLeft = false;

  constructor(columns: () => number) {
    this.#columns = columns;
  }

  /** To be written so that the next row is a new one. */
  leave(): string {
    if (this.#text === "" || this.#isLeft) return "";
    this.#isLeft = true;
    return "\r\n";
  }

  /** To be written so that this text follows what came last. */
  append(text: string): string {
    const back = this.#isLeft ? this.#back(text) : "";
    this.#isLeft = false;
    const end = text.lastIndexOf("\n");
    this.#text = end < 0 ? this.#text + text : text.slice(end + 1);
    return back + text;
  }

  /** The cursor is at the beginning of a row, and nothing goes on above it. */
  end(): void {
    this.#text = "";
    this.#isLeft = false;
  }

  #back(text: string): string {
    if (this.#text.length > MEASURED_LENGTH_MAX) return "";
    const column = measureColumn(this.#text, this.#columns());
    if (column > 0) return `${UP}\u001b[${column}C`;
    // Its row is full: only a line break still belongs to it.
    return /^\r?\n/.test(text) ? UP : "";
  }
}

/** Where the cursor stands behind a text, on a terminal of so many columns: as the input line itself counts. */
function measureColumn(text: string, columns: number): number {
  const output = Object.assign(new Writable({ write: (_, __, done) => done() }), { columns });
  const ruler = createInterface({ input: new PassThrough(), output, terminal: true, prompt: text });
  const { cols } = ruler.getCursorPos();
  ruler.close();
  return cols;
}
