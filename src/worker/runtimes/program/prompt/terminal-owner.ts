/** Whether the program itself has its terminal. A child, such as a debugged program, could print the same prompt. */
import type { ProgramPort } from "../program-port.js";

export class TerminalOwner {
  readonly #port: Pick<ProgramPort, "foregroundGroup" | "findReaders">;
  #group: number | null = null;
  #readers: ReadonlySet<string> = new Set();
  #isLearned = false;

  constructor(port: Pick<ProgramPort, "foregroundGroup" | "findReaders">) {
    this.#port = port;
  }

  /** Call at the program's first prompt; later calls have no effect. */
  learn(): void {
    if (this.#isLearned) return;
    this.#isLearned = true;
    this.#group = this.#port.foregroundGroup();
    this.#readers = new Set(this.#port.findReaders().readers.map(({ id }) => id));
  }

  /** A child has or reads the terminal. False if unknown. */
  get isElsewhere(): boolean {
    const group = this.#port.foregroundGroup();
    if (this.#group !== null && group !== null && group !== this.#group) return true;
    if (this.#readers.size === 0) return false;
    const { blocked, readers } = this.#port.findReaders();
    return blocked === true && readers.every(({ id }) => !this.#readers.has(id));
  }
}
