/**
 * Removes the echo of a typed line from a program's output: the same bytes, with line wraps and colours between them. Bytes that turn out
 * to be no echo are returned.
 */
import { measureWidth } from "../../../screen/widths.js";

export type EchoStrategy = "osc_boundaries" | "deterministic_byte_match" | "fuzzy_byte_match" | "none";

const ESC = 0x1b;
const CR = 0x0d;
const LF = 0x0a;
const BLANK = 0x20;
const BACKSPACE = 0x08;
const UTF8_BYTES_MAX = 4;
const EMPTY = new Uint8Array(0);
const PROMPT_BYTES_MAX = 512;

export class EchoFilter {
  readonly #isFuzzy: boolean;
  readonly #isPrompt: (text: string) => boolean;
  #sent: Uint8Array = EMPTY;
  #matched = 0;
  /** Bytes that are an echo, or output that begins like one. */
  #held: Uint8Array = EMPTY;
  #at = 0;
  #state: "off" | "echo" | "ending" = "off";
  #redrawn = false;
  /** The echo was not found: the output may contain it in another form, and is not exact. */
  isEchoMissing = false;

  constructor(strategy: EchoStrategy, isPrompt: (text: string) => boolean) {
    this.#isFuzzy = strategy === "fuzzy_byte_match";
    this.#isPrompt = isPrompt;
  }

  expect(line: string): void {
    this.#sent = Buffer.from(line);
    this.#matched = this.#at = 0;
    this.#held = EMPTY;
    this.#redrawn = this.isEchoMissing = false;
    this.#state = line === "" ? "ending" : "echo";
  }

  push(bytes: Uint8Array): Uint8Array {
    if (this.#state === "off") return bytes;
    this.#held = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    return this.#walk();
  }

  /** Call at the end of the output. Returns bytes that were held back and are no echo. */
  end(): Uint8Array {
    const rest = this.#state === "echo" && this.#matched < this.#sent.length ? this.#held : EMPTY;
    this.isEchoMissing ||= rest.length > 0;
    this.#held = EMPTY;
    this.#state = "off";
    return rest;
  }

  #walk(): Uint8Array {
    while (this.#state !== "off" && this.#at < this.#held.length) {
      const byte = this.#held[this.#at] ?? 0;
      if (byte === ESC) {
        const length = measureSequence(this.#held, this.#at);
        if (length === "open") return EMPTY;
        this.#at += length;
      } else if (this.#state === "ending") {
        if (byte !== CR) return this.#finish(byte === LF ? this.#at + 1 : this.#at);
        this.#at += 1;
      } else if (this.#isUndecided(byte)) return EMPTY;
      else if (!this.#match(byte)) {
        this.isEchoMissing = true;
        return this.#finish(0);
      }
    }
    return EMPTY;
  }

  /** A blank that is not part of the echo belongs to a line wrap if a carriage return follows. */
  #isUndecided(byte: number): boolean {
    return byte === BLANK && byte !== this.#sent[this.#matched] && this.#at + 1 >= this.#held.length;
  }

  /** Takes one byte of the echo, or of a line wrap. False: it is output. */
  #match(byte: number): boolean {
    if (byte === this.#sent[this.#matched]) {
      this.#at += 1;
      this.#matched += 1;
      if (this.#matched === this.#sent.length) this.#state = "ending";
      return true;
    }
    // At the last column a line editor writes a blank and goes back. It erases a line in the same way.
    const next = this.#held[this.#at + 1];
    const isWrap =
      byte === CR ||
      byte === LF ||
      byte === BACKSPACE ||
      (byte === BLANK && (next === CR || next === BACKSPACE || this.#isWideNext));
    if (isWrap) this.#at += 1;
    return isWrap || this.#restart();
  }

  /** A wide character that does not fit into the last column goes to the next row, and a blank fills the column. */
  get #isWideNext(): boolean {
    const [character = ""] = Buffer.from(
      this.#sent.subarray(this.#matched, this.#matched + UTF8_BYTES_MAX),
    ).toString();
    return measureWidth(character) === 2;
  }

  #finish(from: number): Uint8Array {
    const rest = this.#held.subarray(from);
    this.#held = EMPTY;
    this.#state = "off";
    return rest;
  }

  /** A line editor may redraw its prompt before the echo. */
  #restart(): boolean {
    if (!this.#isFuzzy || this.#redrawn || this.#at > PROMPT_BYTES_MAX) return false;
    const first = this.#sent[0] ?? 0;
    for (let at = this.#held.indexOf(first); at >= 0; at = this.#held.indexOf(first, at + 1)) {
      if (!this.#isPrompt(Buffer.from(this.#held.subarray(0, at)).toString("utf8"))) continue;
      this.#redrawn = true;
      this.#matched = 0;
      this.#at = at;
      return true;
    }
    return false;
  }
}

function measureSequence(bytes: Uint8Array, at: number): number | "open" {
  const kind = bytes[at + 1];
  if (kind === undefined) return "open";
  if (kind === 0x5b) {
    for (let end = at + 2; end < bytes.length; end++) {
      const byte = bytes[end] ?? 0;
      if (byte >= 0x40 && byte <= 0x7e) return end + 1 - at;
    }
    return bytes.length - at > 64 ? 1 : "open";
  }
  if (kind !== 0x5d) return 2;
  for (let end = at + 2; end < bytes.length; end++) {
    if (bytes[end] === 0x07) return end + 1 - at;
    if (bytes[end] === ESC && bytes[end + 1] === 0x5c) return end + 2 - at;
  }
  return bytes.length - at > 4096 ? 1 : "open";
}
