/** The terminal that `watch` draws on: taken over while it draws, and restored on every way out. */
import { StdinBuffer, type Terminal } from "@earendil-works/pi-tui";

/** Uses the alternate screen, so that the previous content returns; no wrapping, because some character widths are guesses. */
const TAKE = "\u001b[?1049h\u001b[?7l\u001b[?2004h\u001b[?25l\u001b[2J\u001b[H";
const GIVE_BACK = "\u001b[?2004l\u001b[?7h\u001b[0m\u001b[?25h\u001b[?1049l";
/** The library clears the scrollback on a resize, but that belongs to the user. */
const CLEAR_SCROLLBACK = "\u001b[3J";
/** A single Esc is a key; in a sequence the rest follows at once, even over ssh. */
const ESC_TIMEOUT_MS = 50;

export class OwnTerminal implements Terminal {
  readonly kittyProtocolActive = false;
  #keys: StdinBuffer | null = null;
  #onResize: () => void = () => undefined;
  #taken = false;

  start(onInput: (data: string) => void, onResize: () => void): void {
    const keys = new StdinBuffer({ timeout: ESC_TIMEOUT_MS });
    keys.on("data", onInput);
    keys.on("paste", (text: string) => onInput(`\u001b[200~${text}\u001b[201~`));
    this.#keys = keys;
    this.#onResize = onResize;
    process.stdin.setEncoding("utf8").on("data", this.#read);
    process.stdout.on("resize", onResize);
    this.take();
  }

  stop(): void {
    this.giveBack();
    process.stdin.off("data", this.#read);
    process.stdout.off("resize", this.#onResize);
    this.#keys?.destroy();
    process.stdin.pause();
  }

  /** Takes the terminal again after a stop as a job. */
  take(): void {
    if (this.#taken) return;
    this.#taken = true;
    process.stdin.setRawMode(true);
    process.stdin.resume();
    process.stdout.write(TAKE);
  }

  /** Idempotent. */
  giveBack(): void {
    if (!this.#taken) return;
    this.#taken = false;
    try {
      process.stdout.write(GIVE_BACK);
      process.stdin.setRawMode(false);
    } catch {
      // The terminal itself is gone.
    }
  }

  write(data: string): void {
    if (this.#taken) process.stdout.write(data.replaceAll(CLEAR_SCROLLBACK, ""));
  }

  get columns(): number {
    return process.stdout.columns;
  }

  get rows(): number {
    return process.stdout.rows;
  }

  moveBy(lines: number): void {
    if (lines !== 0) this.write(`\u001b[${Math.abs(lines)}${lines > 0 ? "B" : "A"}`);
  }

  hideCursor(): void {
    this.write("\u001b[?25l");
  }

  showCursor(): void {
    this.write("\u001b[?25h");
  }

  clearLine(): void {
    this.write("\u001b[K");
  }

  clearFromCursor(): void {
    this.write("\u001b[J");
  }

  clearScreen(): void {
    this.write("\u001b[2J\u001b[H");
  }

  /** Titles and progress bars belong to the user. */
  setTitle(): void {
    return;
  }

  setProgress(): void {
    return;
  }

  drainInput(): Promise<void> {
    return Promise.resolve();
  }

  readonly #read = (data: string): void => this.#keys?.process(data);
}
