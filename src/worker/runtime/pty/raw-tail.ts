/** The last bytes of output, kept with a prompt for later analysis (seed §3.1 `raw_bytes`). */
import { RAW_BYTES_MAX } from "../../../model/prompt.js";

export class RawTail {
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    for (
      let first = this.#chunks[0];
      first && this.#length - first.length >= RAW_BYTES_MAX;
      first = this.#chunks[0]
    ) {
      this.#length -= first.length;
      this.#chunks.shift();
    }
  }

  /** At most RAW_BYTES_MAX. */
  bytes(): Buffer {
    return Buffer.concat(this.#chunks).subarray(-RAW_BYTES_MAX);
  }
}
