/** From the tool's bytes to the emulator: each of them parsed, or shown to leave no trace (ADR 15). */
import type { Terminal } from "@xterm/headless";
import { Backlog } from "./backlog.js";
import { BoundedEmulator } from "./bounded-emulator.js";
import { Margins } from "./margins.js";
import { WholeCharacters } from "./whole-characters.js";
import { useModernWidths } from "../widths.js";

export class Feed {
  readonly #terminal: Terminal;
  readonly #margins: Margins;
  readonly #bounded: BoundedEmulator;
  readonly #characters = new WholeCharacters();
  readonly #backlog: Backlog;
  #lineFeeds = 0;
  /** The emulator has thrown: in what state it is nobody knows. */
  #isBroken = false;

  /** `keptLines`: the emulator's scrollback. `grainBytes`: see `Backlog`. `now`: monotonic ms. */
  constructor(terminal: Terminal, keptLines: number, grainBytes?: number, now = () => performance.now()) {
    this.#terminal = terminal;
    this.#margins = new Margins(terminal);
    this.#bounded = new BoundedEmulator(terminal, this.#margins, now);
    useModernWidths(terminal, () => this.#bounded.lose());
    this.#backlog = new Backlog(terminal.cols, terminal.rows, keptLines, grainBytes);
    terminal.onLineFeed(() => (this.#lineFeeds += 1));
  }

  /** Bytes that are to be parsed. */
  get backlogBytes(): number {
    return this.#backlog.bytes;
  }

  /** Bytes that are in the picture, or left no trace in it. */
  get parsedBytes(): number {
    return this.#backlog.parsedBytes;
  }

  get writtenBytes(): number {
    return this.#backlog.writtenBytes;
  }

  /** Line feeds in `parsedBytes`. */
  get lineFeeds(): number {
    return this.#lineFeeds + this.#backlog.cutLineFeeds;
  }

  /** Whether the picture is all that the parsed output makes. */
  get isFollowed(): boolean {
    return !this.#isBroken && this.#bounded.isFollowed;
  }

  /** Called when the picture is right again after it was not. One listener. */
  onRegained(listener: () => void): void {
    this.#bounded.onRegained(listener);
  }

  /** `bytes` must not be changed afterwards. */
  push(bytes: Uint8Array): void {
    this.#backlog.push(bytes);
  }

  /** Takes out of the backlog what leaves no trace; false when nothing of that kind is found. */
  cut(): boolean {
    if (this.#terminal.modes.originMode || this.#margins.mayBeSet) return false;
    const { scrolled, painted } = this.#backlog.cuts();
    const cut = scrolled ?? (painted && !this.#hasWrappedRow() ? painted : null);
    if (!cut || !this.#backlog.cut(cut)) return false;
    this.#characters.forget();
    return true;
  }

  /** Parses a piece; false when there is none. */
  parse(): boolean {
    const bytes = this.#backlog.first;
    if (!bytes) return false;
    // After "input" the emulator parses at once. Otherwise it waits for a timer, and then goes on for 12 ms.
    if (this.#isBroken) {
      this.#backlog.next();
      return true;
    }
    this.#terminal.input("");
    const due = this.#bounded.prepare(bytes.length);
    try {
      if (due !== "") this.#terminal.write(due);
      this.#terminal.write(this.#characters.push(bytes));
    } catch {
      // A bug of the emulator's costs the picture, and neither the tool nor the user's terminal.
      this.#isBroken = true;
    }
    this.#backlog.next();
    return true;
  }

  /** Everything must have been parsed. */
  resize(cols: number, rows: number): void {
    this.#terminal.resize(cols, rows);
    this.#backlog.resized(cols, rows);
    this.#bounded.resized();
  }

  #hasWrappedRow(): boolean {
    const { active } = this.#terminal.buffer;
    for (let y = 0; y < this.#terminal.rows; y++)
      if (active.getLine(active.baseY + y)?.isWrapped) return true;
    return false;
  }
}
