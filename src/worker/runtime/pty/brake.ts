/** Several parts may want the tool to wait; it goes on when the last one is content. */
import type { Terminal } from "../../transport/terminal.js";

export class Brake {
  readonly #terminal: Pick<Terminal, "pause" | "resume">;
  readonly #reasons = new Set<string>();

  constructor(terminal: Pick<Terminal, "pause" | "resume">) {
    this.#terminal = terminal;
  }

  set(reason: string, wanted: boolean): void {
    const before = this.#reasons.size;
    if (wanted) this.#reasons.add(reason);
    else this.#reasons.delete(reason);
    if (before === 0 && this.#reasons.size > 0) this.#terminal.pause();
    if (before > 0 && this.#reasons.size === 0) this.#terminal.resume();
  }
}
