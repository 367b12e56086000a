/**
 * Whether it is the program itself that has its terminal, and not something that it started, which could print the same prompt: a program
 * under a debugger, or a command that an interpreter runs.
 */
import type { ProgramPort } from "../program-port.js";

export class TerminalOwner {
  readonly #port: Pick<ProgramPort, "foregroundGroup" | "findReaders">;
  /** The foreground process group at the program's first prompt: its own. Null: not known. */
  #group: number | null = null;
  /** The processes that read there, or may do so; empty: not known. */
  #readers: ReadonlySet<string> = new Set();
  #isLearned = false;

  constructor(port: Pick<ProgramPort, "foregroundGroup" | "findReaders">) {
    this.#port = port;
  }

  /** Call at the program's first prompt; later calls change nothing. */
  learn(): void {
    if (this.#isLearned) return;
    this.#isLearned = true;
    this.#group = this.#port.foregroundGroup();
    this.#readers = new Set(this.#port.findReaders().readers.map(({ id }) => id));
  }

  /** Something else has the terminal, or reads it. False also where the system does not tell. */
  get isElsewhere(): boolean {
    const group = this.#port.foregroundGroup();
    if (this.#group !== null && group !== null && group !== this.#group) return true;
    if (this.#readers.size === 0) return false;
    const { blocked, readers } = this.#port.findReaders();
    return blocked === true && readers.every(({ id }) => !this.#readers.has(id));
  }
}
