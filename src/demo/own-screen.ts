/** The terminal while the demo draws on it: single keys, and the previous content is there again afterwards. */

const TAKE = "\u001b[?1049h\u001b[?25l\u001b[?7l";
const GIVE_BACK = "\u001b[?7h\u001b[?25h\u001b[?1049l";
const HOME = "\u001b[H";
const CLEAR_REST = "\u001b[K";
const CLEAR_BELOW = "\u001b[J";

export class OwnScreen {
  readonly #keys: string[] = [];
  #waiting: ((key: string) => void) | null = null;
  #draw: () => readonly string[] = () => [];

  /** `draw` makes the rows, at once and after each change of size. */
  constructor(draw: () => readonly string[]) {
    this.#draw = draw;
    process.stdin.setRawMode(true).on("data", this.#read).resume();
    process.stdout.on("resize", this.redraw);
    process.stdout.write(TAKE);
    this.redraw();
  }

  readonly redraw = (): void => {
    const rows = this.#draw().map((row) => `${row}${CLEAR_REST}`);
    process.stdout.write(`${HOME}${rows.join("\r\n")}${CLEAR_BELOW}`);
  };

  /** The next key as the terminal sends it. */
  nextKey(): Promise<string> {
    const [first] = this.#keys.splice(0, 1);
    if (first !== undefined) return Promise.resolve(first);
    return new Promise((resolve) => (this.#waiting = resolve));
  }

  close(): void {
    process.stdout.off("resize", this.redraw);
    process.stdin.off("data", this.#read).setRawMode(false).pause();
    process.stdout.write(GIVE_BACK);
  }

  readonly #read = (chunk: Buffer): void => {
    const text = chunk.toString("utf8");
    // A sequence such as an arrow key is one key, which means nothing here.
    this.#keys.push(...(text.startsWith("\u001b") ? ["\u001b"] : text));
    if (this.#waiting === null || this.#keys.length === 0) return;
    const resolve = this.#waiting;
    this.#waiting = null;
    resolve(this.#keys.shift() ?? "");
  };
}
