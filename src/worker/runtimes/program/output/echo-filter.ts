/**
 * Leaves out of a program's output the echo of what was typed: the same bytes, with line wraps and colours between them. What turns out
 * to be no echo is given back.
 */
import { measureWidth } from "../../../screen/widths.js";

export type EchoStrategy = "osc_boundaries" | "deterministic_byte_match" | "fuzzy_byte_match" | "none";

const ESC = 0x1b;
const CR = 0x0d;
const LF = 0x0a;
const BLANK = 0x20;
const BACKSPACE = 0x08;
/** Of one character. */
const UTF8_BYTES_MAX = 4;
const EMPTY = new Uint8Array(0);
/** The redrawn prompt in front of an echo is shorter than this. */
const PROMPT_BYTES_MAX = 512;

export class EchoFilter {
  readonly #isFuzzy: boolean;
  /** Whether these bytes end in the prompt that a line editor draws anew in front of the echo. */
  readonly #isPrompt: (text: string) => boolean;
  #sent: Uint8Array = EMPTY;
  #matched = 0;
  /** What is held back: echo, or output that looks like its beginning. */
  #held: Uint8Array = EMPTY;
  #at = 0;
  #state: "off" | "echo" | "ending" = "off";
  #redrawn = false;
  #hasGivenBack = false;

  constructor(strategy: EchoStrategy, isPrompt: (text: string) => boolean) {
    this.#isFuzzy = strategy === "fuzzy_byte_match";
    this.#isPrompt = isPrompt;
  }

  /**
   * The echo of the line was not found. It stands in the output where it was drawn in another way than is known here, so that this is
   * not exact.
   */
  get hasGivenBack(): boolean {
    return this.#hasGivenBack;
  }

  /** The line that is typed now, without its end. */
  expect(line: string): void {
    this.#sent = Buffer.from(line);
    this.#matched = this.#at = 0;
    this.#held = EMPTY;
    this.#redrawn = this.#hasGivenBack = false;
    this.#state = line === "" ? "ending" : "echo";
  }

  /** Output, without the echo in it. */
  push(bytes: Uint8Array): Uint8Array {
    if (this.#state === "off") return bytes;
    this.#held = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    return this.#walk();
  }

  /** Nothing more comes: what was held back and is no echo. */
  end(): Uint8Array {
    const rest = this.#state === "echo" && this.#matched < this.#sent.length ? this.#held : EMPTY;
    this.#hasGivenBack ||= rest.length > 0;
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
        this.#hasGivenBack = true;
        return this.#finish(0);
      }
    }
    return EMPTY;
  }

  /** A blank that is not of the echo belongs to a wrap if a carriage return follows. */
  #isUndecided(byte: number): boolean {
    return byte === BLANK && byte !== this.#sent[this.#matched] && this.#at + 1 >= this.#held.length;
  }

  /** One byte of the echo, or what a line editor puts between: a wrapped line. False: this is output. */
  #match(byte: number): boolean {
    if (byte === this.#sent[this.#matched]) {
      this.#at += 1;
      this.#matched += 1;
      if (this.#matched === this.#sent.length) this.#state = "ending";
      return true;
    }
    // At the last column a line editor writes a blank and goes back. An emptied line is erased in the same way.
    const next = this.#held[this.#at + 1];
    const isWrap =
      byte === CR ||
      byte === LF ||
      byte === BACKSPACE ||
      (byte === BLANK && (next === CR || next === BACKSPACE || this.#isWideNext));
    if (isWrap) this.#at += 1;
    return isWrap || this.#restart();
  }

  /** A wide character that does not fit into the last column goes to the next row, and a line editor fills the column with a blank. */
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

  /** A line editor may draw its prompt anew in front of the echo. */
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
