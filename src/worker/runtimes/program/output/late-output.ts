/** What comes behind the mark of a prompt while the output settles: a job's last lines, and what a line editor draws. */
import { measureDrawing, PROMPT_BYTES_MAX } from "./editor-bytes.js";

const LINE_FEED = 10;
const ESC = 0x1b;

export class LateOutput {
  /** What stands behind the last line feed. */
  #rest = Buffer.alloc(0);
  #mayHoldDrawing = false;

  /** A line was printed over what an editor had perhaps drawn, which then stands in it. */
  get mayHoldDrawing(): boolean {
    return this.#mayHoldDrawing;
  }

  /** The whole lines of it. The rest is held back until it is known whether an editor has drawn it. */
  push(bytes: Uint8Array): Uint8Array {
    const all = Buffer.concat([this.#rest, bytes]);
    const end = all.lastIndexOf(LINE_FEED) + 1;
    // No editor draws so much.
    const to = all.length - end > PROMPT_BYTES_MAX ? all.length : end;
    this.#rest = all.subarray(to);
    this.#mayHoldDrawing ||= all.subarray(0, to).includes(ESC);
    return all.subarray(0, to);
  }

  /** The rest of it that is output. */
  end(): Uint8Array {
    const rest = this.#rest;
    this.#rest = Buffer.alloc(0);
    return rest.subarray(0, rest.length - measureDrawing(rest));
  }
}
