/** Exchanges lines of JSON over two pipes. Other lines are passed on as text, because tools print warnings among their events. */
import type { Readable, Writable } from "node:stream";
import { isDeeperThan, JSON_LEVELS_MAX } from "../../../model/data/nesting.js";
import { parseObject, type Json } from "../../../model/data/json.js";
import { isCostlyJson } from "../../../model/data/json-cost.js";
import { LineReader } from "../../process/line-reader.js";

export const TOO_DEEP = "a message was nested too deep to be read";

export interface JsonLinesOptions {
  readonly input: Writable;
  readonly output: Readable;
  readonly onMessage: (message: Json) => void;
  /** Called with a message nested deeper than JSON_LEVELS_MAX. Its ids may be used to refuse it; nothing else of it may be read. */
  readonly onTooDeep: (message: Json) => void;
  /** Called with a line that is not a JSON object, without its line ending. */
  readonly onText?: (line: string) => void;
  /** Called for a line with too many bytes (LINE_BYTES_MAX of `LineReader`) or values (JSON_VALUES_MAX). Later lines are read. */
  readonly onTooLong?: () => void;
}

export class JsonLines {
  readonly #options: JsonLinesOptions;

  constructor(options: JsonLinesOptions) {
    this.#options = options;
    const lines = new LineReader({
      onLine: (line) => this.#readLine(line),
      onTooLong: () => options.onTooLong?.(),
    });
    options.output.on("data", (chunk: Uint8Array) => lines.take(chunk));
    options.output.once("end", () => lines.end());
  }

  /** Returns false when the other end does not read any more. */
  send(message: object): boolean {
    const { input } = this.#options;
    if (!input.writable) return false;
    input.write(`${JSON.stringify(message)}\n`);
    return true;
  }

  #readLine(text: string): void {
    const { onMessage, onTooDeep, onText, onTooLong } = this.#options;
    if (isCostlyJson(text)) {
      onTooLong?.();
      return;
    }
    const message = parseMessage(text);
    if (message && isDeeperThan(message, JSON_LEVELS_MAX)) onTooDeep(message);
    else if (message) onMessage(message);
    else if (text.trim() !== "") onText?.(text);
  }
}

/** Skips most lines of text without the cost of an exception. */
function parseMessage(text: string): Json | null {
  return /^\s{0,8}\{/.test(text) ? parseObject(text) : null;
}
