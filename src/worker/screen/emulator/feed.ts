/** Passes the tool's bytes to the emulator. Each byte is parsed, or proved to leave no trace (ADR 15). */
import type { Terminal } from "@xterm/headless";
import { Backlog } from "./backlog.js";
import { BoundedEmulator } from "./bounded-emulator.js";
import { getInnerEmulator } from "./inner-emulator.js";
import { resizeTerminal } from "./resize.js";
import { WholeCharacters } from "./whole-characters.js";
import { useModernWidths } from "../widths.js";

export class Feed {
  readonly #terminal: Terminal;
  readonly #hasMargins: () => boolean;
  readonly #emulator: BoundedEmulator;
  readonly #characters = new WholeCharacters();
  readonly #backlog: Backlog;
  #lineFeeds = 0;
  /** The emulator has thrown, so its state is unknown. */
  #isBroken = false;

  /** `keptLines`: size of the emulator's scrollback. `grainBytes`: see `Backlog`. `now`: monotonic ms. */
  constructor(terminal: Terminal, keptLines: number, grainBytes?: number, now = () => performance.now()) {
    this.#terminal = terminal;
    this.#hasMargins = getInnerEmulator(terminal).hasMargins;
    this.#emulator = new BoundedEmulator(terminal, now);
    useModernWidths(terminal, () => this.#emulator.markLost());
    this.#backlog = new Backlog(terminal.cols, terminal.rows, keptLines, grainBytes);
    terminal.onLineFeed(() => (this.#lineFeeds += 1));
    terminal.parser.registerCsiHandler({ final: "J" }, ([how]) => {
      if (how === 2) this.#lineFeeds += 1;
      return false;
    });
  }

  get backlogBytes(): number {
    return this.#backlog.bytes;
  }

  get parsedBytes(): number {
    return this.#backlog.parsedBytes;
  }

  get writtenBytes(): number {
    return this.#backlog.writtenBytes;
  }

  /** Number of line feeds in `parsedBytes`, and of erasures of the whole screen: after one everything is printed again. */
  get lineFeeds(): number {
    return this.#lineFeeds + this.#backlog.cutLineFeeds;
  }

  get isFollowed(): boolean {
    return !this.#isBroken && this.#emulator.isFollowed;
  }

  /** Called when the picture is right again after it was not. One listener. */
  onRecovered(listener: () => void): void {
    this.#emulator.onRecovered(listener);
  }

  push(bytes: Uint8Array): void {
    this.#backlog.push(bytes);
  }

  /** Removes output without any trace from the backlog. Returns false if there is none. */
  cut(): boolean {
    if (this.#terminal.modes.originMode || this.#hasMargins()) return false;
    const { scrolled, painted } = this.#backlog.findCuts();
    const cut = scrolled ?? (painted && !this.#hasWrappedRow() ? painted : null);
    if (!cut || !this.#backlog.cut(cut)) return false;
    this.#characters.forget();
    return true;
  }

  parse(): boolean {
    const bytes = this.#backlog.first;
    if (!bytes) return false;
    // After "input" the emulator parses at once. Otherwise it waits for a timer, and then runs for 12 ms.
    if (this.#isBroken) {
      this.#backlog.removeFirst();
      return true;
    }
    this.#terminal.input("");
    const due = this.#emulator.prepare(bytes.length);
    try {
      if (due !== "") this.#terminal.write(due);
      this.#terminal.write(this.#characters.push(bytes));
    } catch {
      // A bug of the emulator may cost the picture, but neither the tool nor the user's terminal.
      this.#isBroken = true;
    }
    this.#backlog.removeFirst();
    return true;
  }

  /** Call only when everything has been parsed. */
  resize(cols: number, rows: number): void {
    resizeTerminal(this.#terminal, cols, rows);
    this.#backlog.resize(cols, rows);
    this.#emulator.updateSize();
  }

  #hasWrappedRow(): boolean {
    const { active } = this.#terminal.buffer;
    for (let y = 0; y < this.#terminal.rows; y++)
      if (active.getLine(active.baseY + y)?.isWrapped) return true;
    return false;
  }
}
