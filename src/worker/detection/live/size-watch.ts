/**
 * Notices that a program in the terminal has changed its size (`stty`). The screen that we see keeps its size then, and a command that is
 * wrapped for the other size may look like another one that has a line break there.
 */
import type { Candidate } from "../../../sdk/candidate.js";

type Size = Candidate["size"];

export class SizeWatch {
  readonly #read: () => Size | null;
  #known: Size | null = null;

  /** `read` returns the size that the tool sees; null if the system does not report it. */
  constructor(read: () => Size | null) {
    this.#read = read;
  }

  /** Call when a prompt is raised, and when we have set the size. */
  note(): void {
    this.#known = this.#read();
  }

  /** Whether the size is another one than at the last `note`. Asks the kernel. */
  get isChanged(): boolean {
    const [known, now] = [this.#known, this.#known && this.#read()];
    return known !== null && now !== null && (known.cols !== now.cols || known.rows !== now.rows);
  }
}
