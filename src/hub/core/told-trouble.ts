/** Keeps the trouble of which chats were last told for the next hub, in a file of fixed size, because the disk may be full. */
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { PRIVATE_FILE_MODE } from "../../config/private-files.js";

/** Longer than the name of any trouble. */
const BYTES = 16;

export class ToldTrouble {
  readonly #path: string;

  constructor(databasePath: string) {
    this.#path = join(dirname(databasePath), "hub.told");
  }

  /** The trouble in the last message of a former hub, without a later message of its end; "" if unknown. Makes the file. */
  read(): string {
    try {
      return readFileSync(this.#path, "latin1").trim();
    } catch {
      tryTo(() => writeFileSync(this.#path, " ".repeat(BYTES), { flag: "wx", mode: PRIVATE_FILE_MODE }));
      return "";
    }
  }

  /** "": the chats know that the hub works again. A file that cannot be written costs only a message of the next hub. */
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
  } catch {}
}
