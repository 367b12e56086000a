/** The file from which a program reads a block. It must still hold the text that people saw. */
import { closeSync, fstatSync, readFileSync, rmSync, type BigIntStats } from "node:fs";
import { openPlainFile, writePlainFile } from "../../../../observe/files/plain-file.js";

const ALTERED =
  "its file was changed or removed before the command ended: what ran may not be what was asked for";

export class BlockFile {
  readonly path: string;
  readonly text: string;
  #written: BigIntStats | null = null;
  hasFailed = false;

  constructor(path: string, text: string) {
    this.path = path;
    this.text = text;
  }

  /** Call just before the line that reads it is typed. Returns why it was not written, or null. */
  write(): string | null {
    try {
      writePlainFile(this.path, this.text);
      this.#written = this.#inspect();
      return null;
    } catch (error) {
      this.hasFailed = true;
      const { code } = error as NodeJS.ErrnoException;
      // A file that existed before belongs to somebody else.
      if (code !== "EEXIST") rmSync(this.path, { force: true });
      return `its file cannot be written (${code ?? "another program has changed it"})`;
    }
  }

  /** Removes the file. Returns a warning if it was changed in the meantime, or an empty text. */
  remove(): string {
    if (this.#written === null) return "";
    const isSame = this.#isSame(this.#written);
    rmSync(this.path, { force: true });
    return isSame ? "" : ALTERED;
  }

  /** The time of a change cannot be set, so even a file that was restored is noticed. */
  #isSame({ dev, ino, ctimeNs }: BigIntStats): boolean {
    try {
      const now = this.#inspect();
      return now.dev === dev && now.ino === ino && now.ctimeNs === ctimeNs;
    } catch {
      return false;
    }
  }

  #inspect(): BigIntStats {
    const fd = openPlainFile(this.path);
    try {
      if (readFileSync(fd, "utf8") !== this.text) throw new Error("it has another text");
      return fstatSync(fd, { bigint: true });
    } finally {
      closeSync(fd);
    }
  }
}
