/** Tracks whether a part of the rows scrolls separately (DECSTBM). The emulator knows it and does not report it. */
import type { Terminal } from "@xterm/headless";

export class Margins {
  readonly #terminal: Terminal;
  /** The screens that have margins; each screen has its own. */
  readonly #set = new Set<"normal" | "alternate">();

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    terminal.parser.registerCsiHandler({ final: "r" }, ([first, last]) => {
      this.#update(Number(first) || 1, Number(last ?? 0) || terminal.rows);
      return false;
    });
    terminal.parser.registerEscHandler({ final: "c" }, () => {
      this.#set.clear();
      return false;
    });
  }

  /** True when margins may be set on the shown screen. What removes them besides the same sequence is not always seen. */
  get mayBeSet(): boolean {
    return this.#set.size > 0 && this.#set.has(this.#terminal.buffer.active.type);
  }

  #update(first: number, last: number): void {
    const { rows, buffer } = this.#terminal;
    if (first === 1 && last >= rows) this.#set.delete(buffer.active.type);
    else this.#set.add(buffer.active.type);
  }
}
