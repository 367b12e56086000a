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

  /** Returns the output without the echo. It is not exact if the echo looks different from the typed line. */
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
