/** Whether a part of the rows scrolls by itself (DECSTBM). The emulator knows it and does not tell. */
import type { Terminal } from "@xterm/headless";

export class Margins {
  readonly #terminal: Terminal;
  /** Each screen has its own. */
  readonly #set = new Set<"normal" | "alternate">();

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    terminal.parser.registerCsiHandler({ final: "r" }, ([first, last]) => {
      this.#setTo(Number(first) || 1, Number(last ?? 0) || terminal.rows);
      return false;
    });
    terminal.parser.registerEscHandler({ final: "c" }, () => {
      this.#set.clear();
      return false;
    });
  }

  /** True when some may be set on the screen that is shown: what takes them away besides the same sequence is not always seen. */
  get mayBeSet(): boolean {
    return this.#set.size > 0 && this.#set.has(this.#terminal.buffer.active.type);
  }

  #setTo(first: number, last: number): void {
    const { rows, buffer } = this.#terminal;
    if (first === 1 && last >= rows) this.#set.delete(buffer.active.type);
    else this.#set.add(buffer.active.type);
  }
}
