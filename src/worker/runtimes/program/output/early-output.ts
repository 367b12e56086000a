/** What a program prints between a typed line and the mark of its begin: the echo, and, where no begin follows, why there is none. */
import { OutputCapture, type CapturedOutput, type OutputCaptureOptions } from "./output-capture.js";

const LINE_FEED = 10;

export class EarlyOutput {
  readonly #line: string;
  readonly #capture: OutputCapture;

  constructor(line: string, options: OutputCaptureOptions) {
    this.#line = line;
    this.#capture = new OutputCapture(options);
  }

  push(bytes: Uint8Array): void {
    this.#capture.push(bytes);
  }

  /** All of it, without the echo. Not exact where a line editor has drawn the line in a way of its own. */
  end(): CapturedOutput {
    const output = this.#capture.end("");
    const isEchoed = output.text.startsWith(this.#line);
    const end = output.text.indexOf("\n", isEchoed ? this.#line.length : 0);
    const { raw, rawFile } = output;
    const said = rawFile === null ? raw.subarray(raw.indexOf(LINE_FEED) + 1) : raw;
    return {
      ...output,
      raw: said,
      bytes: rawFile === null ? said.length : output.bytes,
      text: end < 0 ? "" : output.text.slice(end + 1),
      isExact: output.isExact && isEchoed,
    };
  }
}
