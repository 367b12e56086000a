import { closeSync, ftruncateSync, writeSync } from "node:fs";
import { join } from "node:path";
import { OUTPUT_FILE_BYTES_MAX } from "../../../../model/console-call.js";
import { createPlainFile } from "../../../../observe/files/plain-file.js";
import { systemRandom } from "../../../../observe/random.js";

/** A file that is created by its first write, and stops growing at a limit. Nobody can guess its name to put a link or a pipe there. */
export class BoundedFile {
  readonly #path: string;
  #fd: number | null = null;
  #written = 0;
  isWhole = true;

  constructor(folder: string, name: string) {
    this.#path = join(folder, name.replace(/(?=\.\w+$)/, `-${systemRandom.uuid()}`));
  }

  get isOpen(): boolean {
    return this.#fd !== null;
  }

  write(data: string | Uint8Array): void {
    const bytes = Buffer.from(data);
    try {
      this.#fd ??= createPlainFile(this.#path);
      const room = OUTPUT_FILE_BYTES_MAX - this.#written;
      if (bytes.length > room) this.isWhole = false;
      this.#written += writeSync(this.#fd, bytes.subarray(0, Math.max(0, room)));
    } catch {
      // The disk may be full.
      this.isWhole = false;
    }
  }

  close(length = Infinity): string | null {
    if (this.#fd === null) return null;
    if (length < this.#written) ftruncateSync(this.#fd, length);
    closeSync(this.#fd);
    this.#fd = null;
    return this.#path;
  }
}
