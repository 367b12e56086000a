/** Lines of JSON over two pipes. What is no JSON is handed on as text: tools print warnings among their events. */
import type { Readable, Writable } from "node:stream";
import { isDeeperThan, LEVELS_MAX } from "../../../model/nesting.js";
import { isObject, type Json } from "../../detect/json.js";

/** A whole file before and after may stand in one line; this bounds what a tool can make us hold. */
export const LINE_BYTES_MAX = 32 * 1024 * 1024;

/** What people and tools are told of a message that is nested deeper than LEVELS_MAX. */
export const TOO_DEEP = "a message was nested too deep to be read";

const NEWLINE = 10;

export interface JsonLinesOptions {
  readonly input: Writable;
  readonly output: Readable;
  readonly onMessage: (message: Json) => void;
  /** A message nested deeper than LEVELS_MAX. It is to be refused by what names it, and nothing else of it looked at. */
  readonly onTooDeep: (message: Json) => void;
  /** A line that is no JSON object, without its end. */
  readonly onText?: (line: string) => void;
  /** A line longer than LINE_BYTES_MAX; what follows it is read. */
  readonly onTooLong?: () => void;
}

export class JsonLines {
  readonly #options: JsonLinesOptions;
  #pieces: Uint8Array[] = [];
  #bytes = 0;

  constructor(options: JsonLinesOptions) {
    this.#options = options;
    options.output.on("data", (chunk: Uint8Array) => this.#take(chunk));
    options.output.once("end", () => this.#line());
  }

  /** False when nobody reads any more. */
  send(message: object): boolean {
    const { input } = this.#options;
    if (!input.writable) return false;
    input.write(`${JSON.stringify(message)}\n`);
    return true;
  }

  #take(chunk: Uint8Array): void {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      this.#keep(chunk.subarray(from, end));
      this.#line();
      from = end + 1;
    }
    this.#keep(chunk.subarray(from));
  }

  #keep(piece: Uint8Array): void {
    this.#bytes += piece.length;
    if (this.#bytes > LINE_BYTES_MAX) this.#pieces = [];
    else if (piece.length > 0) this.#pieces.push(piece);
  }

  #line(): void {
    const isTooLong = this.#bytes > LINE_BYTES_MAX;
    const text = Buffer.concat(this.#pieces).toString();
    this.#pieces = [];
    this.#bytes = 0;
    if (isTooLong) this.#options.onTooLong?.();
    else this.#told(text);
  }

  #told(text: string): void {
    const { onMessage, onTooDeep, onText } = this.#options;
    const message = parsed(text);
    if (message && isDeeperThan(message, LEVELS_MAX)) onTooDeep(message);
    else if (message) onMessage(message);
    else if (text.trim() !== "") onText?.(text);
  }
}

function parsed(text: string): Json | null {
  if (!/^\s{0,8}\{/.test(text)) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
