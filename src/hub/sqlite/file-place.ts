/** Whether a path still leads to the file that was opened by it: what is written to a removed one is gone with the process. */
import { statSync } from "node:fs";

export class FilePlace {
  readonly #path: string;
  /** Null where there was no file: a database in memory stays where it is. */
  readonly #opened: string | null;

  constructor(path: string) {
    this.#path = path;
    this.#opened = identityOf(path);
  }

  /** A look costs some 3 µs. */
  get isKept(): boolean {
    return this.#opened === null || identityOf(this.#path) === this.#opened;
  }
}

/** Null where there is none, or it cannot be looked at. */
function identityOf(path: string): string | null {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return null;
  }
}
