/** Takes output that comes after the mark of a prompt while it settles: the last lines of a job, and drawings of a line editor. */
import { measureDrawing, PROMPT_BYTES_MAX } from "./editor-bytes.js";

const LINE_FEED = 10;
const ESC = 0x1b;

export class LateOutput {
  #rest = Buffer.alloc(0);
  /** The output may contain something that a line editor had drawn in the same line. */
  mayHoldDrawing = false;

  /** Returns whole lines. The rest is held back until it is known whether a line editor drew it. */
  push(bytes: Uint8Array): Uint8Array {
    const all = Buffer.concat([this.#rest, bytes]);
    const end = all.lastIndexOf(LINE_FEED) + 1;
    // No line editor draws this much.
    const to = all.length - end > PROMPT_BYTES_MAX ? all.length : end;
    this.#rest = all.subarray(to);
    this.mayHoldDrawing ||= all.subarray(0, to).includes(ESC);
    return all.subarray(0, to);
  }

  end(): Uint8Array {
    const rest = this.#rest;
    this.#rest = Buffer.alloc(0);
    return rest.subarray(0, rest.length - measureDrawing(rest));
  }
}
