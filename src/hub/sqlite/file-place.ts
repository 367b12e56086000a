/** Whether a path still leads to the file that was opened: data written to a removed one is lost when the process exits. */
import { statSync } from "node:fs";

export class FilePlace {
  readonly #path: string;
  /** Null if there was no file: a database in memory cannot be removed. */
  readonly #opened: string | null;

  constructor(path: string) {
    this.#path = path;
    this.#opened = getIdentity(path);
  }

  get isKept(): boolean {
    return this.#opened === null || getIdentity(this.#path) === this.#opened;
  }
}

function getIdentity(path: string): string | null {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return null;
  }
}
