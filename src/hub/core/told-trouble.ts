/**
 * Keeps which trouble of the hub the chats were told last, for the next hub: it says then that AtlasBridge goes on. A file, because
 * the ledger is what most troubles are about. It exists from the start and never grows, so that a full disk takes it, too.
 */
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { PRIVATE_FILE_MODE } from "../../config/private-files.js";

/** Longer than the name of any trouble. */
const BYTES = 16;

export class ToldTrouble {
  readonly #path: string;

  /** Beside the database. */
  constructor(databasePath: string) {
    this.#path = join(dirname(databasePath), "hub.told");
  }

  /** What a former hub told last, and has not told the end of; "" if nothing is known. Makes the file. */
  read(): string {
    try {
      return readFileSync(this.#path, "latin1").trim();
    } catch {
      tryTo(() => writeFileSync(this.#path, " ".repeat(BYTES), { flag: "wx", mode: PRIVATE_FILE_MODE }));
      return "";
    }
  }

  /** "": the chats know that it goes on. A file that cannot be written costs a message of the next hub, nothing else. */
  write(trouble: string): void {
    tryTo(() => {
      const file = openSync(this.#path, "r+");
      try {
        writeSync(file, trouble.padEnd(BYTES), 0, "latin1");
      } finally {
        closeSync(file);
      }
    });
  }
}

function tryTo(act: () => void): void {
  try {
    act();
  } catch {
    // See `write`.
  }
}
