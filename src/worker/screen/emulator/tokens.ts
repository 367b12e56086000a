/**
 * Splits output into the parts that an emulator handles: text, controls and sequences, however the bytes are split. Only parts
 * that the sink needs are distinguished.
 */

/** Receives the tokens in order. Offsets count all bytes ever pushed; `end` is the offset after the last byte. */
export interface TokenSink {
  /** `bytes`: length of the text. It takes no more columns than bytes. */
  onText(bytes: number, end: number): void;
  onCarriageReturn(end: number): void;
  /** `afterReturn`: the byte before it was a carriage return. */
  onLineFeed(afterReturn: boolean, end: number): void;
  onTab(end: number): void;
  /** `prefix` is 0 or the private mark; omitted parameters are 0. The sequence begins at `start`. */
  onCsi(final: number, prefix: number, params: Int32Array, count: number, start: number, end: number): void;
  /** Anything else. It may begin before and end after these bytes. Of several in a row only the last may be reported. */
  onOther(end: number): void;
}

const CR = 0x0d;
const LF = 0x0a;
const TAB = 0x09;
const ESC = 0x1b;
const BEL = 0x07;
/** First byte of U+0080 to U+00BF; the first half of these are control characters. */
const LATIN = 0xc2;

/** More parameters than any recognized sequence has. */
const PARAMS_MAX = 24;
const PARAM_MAX = 99_999;

/** States, as numbers for speed. `LOST`: within something unrecognized. An escape character begins a new sequence in every state. */
const [GROUND, LATIN_1, ESCAPE, CHARSET, IN_CSI, OSC, LOST] = [0, 1, 2, 3, 4, 5, 6] as const;

/** For a chunk shorter than this a view of its words is not worth it. */
const WORDS_BYTES_MIN = 64;

/** 1 for each byte that can be part of text. */
const TEXT = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x20 && byte !== 0x7f && byte !== LATIN ? 1 : 0,
);

const NO_WORDS = new Int32Array();

export class Tokenizer {
  readonly #sink: TokenSink;
  readonly #params = new Int32Array(PARAMS_MAX);
  #state: number = GROUND;
  /** Number of bytes pushed before the current chunk. */
  #before = 0;
  #start = 0;
  #prefix = 0;
  #count = 0;
  #wasReturn = false;
  /** The current chunk as words of four bytes, beginning at its byte `#lead`. Text is skipped in words. */
  #words: Int32Array = NO_WORDS;
  #lead = 0;

  constructor(sink: TokenSink) {
    this.#sink = sink;
  }

  push(bytes: Uint8Array): void {
    this.#lead = -bytes.byteOffset & 3;
    const words = bytes.length < WORDS_BYTES_MIN ? 0 : (bytes.length - this.#lead) >> 2;
    this.#words = words === 0 ? NO_WORDS : new Int32Array(bytes.buffer, bytes.byteOffset + this.#lead, words);
    for (let at = 0; at < bytes.length;) {
      if (this.#state === GROUND) at = this.#takeText(bytes, at);
      else if (this.#state === IN_CSI) at = this.#takeCsi(bytes, at);
      else if (this.#state === LOST) at = this.#skipLost(bytes, at);
      else this.#takeInSequence(bytes[at] ?? 0, ++at);
    }
    this.#before += bytes.length;
    this.#words = NO_WORDS;
  }

  /** Takes everything that needs no state. Returns the offset where that ends. */
  #takeText(bytes: Uint8Array, from: number): number {
    const sink = this.#sink;
    const before = this.#before;
    let wasReturn = this.#wasReturn;
    let at = from;
    while (at < bytes.length) {
      const start = at;
      at = this.#findTextEnd(bytes, at);
      if (at > start) {
        sink.onText(at - start, before + at);
        wasReturn = false;
      }
      if (at === bytes.length) break;
      const byte = bytes[at++];
      if (byte === LF) sink.onLineFeed(wasReturn, before + at);
      else if (byte === CR) sink.onCarriageReturn(before + at);
      else if (byte === TAB) sink.onTab(before + at);
      else if (byte === ESC || byte === LATIN) {
        this.#start = before + at - 1;
        if (byte === ESC && bytes[at] === 0x5b) {
          this.#beginCsi();
          at++;
        } else this.#state = byte === ESC ? ESCAPE : LATIN_1;
        wasReturn = false;
        break;
      } else sink.onOther(before + at);
      wasReturn = byte === CR;
    }
    this.#wasReturn = wasReturn;
    return at;
  }

  #findTextEnd(bytes: Uint8Array, from: number): number {
    const words = this.#words;
    const lead = this.#lead;
    for (let at = from; ;) {
      // Goes up to the next word, or through the four bytes of a word that holds more than plain text.
      for (const border = ((at - lead) & ~3) + lead + 4; at < border; at++)
        if (at === bytes.length || TEXT[bytes[at] ?? 0] !== 1) return at;
      let word = (at - lead) >> 2;
      while (word < words.length && isPlainWord(words[word] ?? 0)) word++;
      at = lead + 4 * word;
    }
  }

  #takeCsi(bytes: Uint8Array, from: number): number {
    const params = this.#params;
    let count = this.#count;
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      if (byte >= 0x30 && byte <= 0x39) {
        const value = (params[count] ?? 0) * 10 + byte - 0x30;
        if (value > PARAM_MAX) return this.#giveUp(at + 1);
        params[count] = value;
      } else if (byte === 0x3b) {
        if (++count === PARAMS_MAX) return this.#giveUp(at + 1);
        params[count] = 0;
      } else if (byte >= 0x40 && byte <= 0x7e) {
        this.#state = GROUND;
        this.#sink.onCsi(byte, this.#prefix, params, count + 1, this.#start, this.#before + at + 1);
        return at + 1;
      } else if (byte >= 0x3c && byte <= 0x3f && this.#before + at === this.#start + 2) this.#prefix = byte;
      else {
        if (byte === ESC) this.#beginEscape(at + 1);
        else this.#giveUp(at + 1);
        return at + 1;
      }
    }
    this.#count = count;
    return bytes.length;
  }

  /** Here only an escape character is recognized. */
  #skipLost(bytes: Uint8Array, from: number): number {
    const escape = bytes.indexOf(ESC, from);
    const end = escape < 0 ? bytes.length : escape + 1;
    if (escape < 0) this.#sink.onOther(this.#before + end);
    else this.#beginEscape(end);
    return end;
  }

  #takeInSequence(byte: number, end: number): void {
    const state = this.#state;
    if (byte === ESC) this.#beginEscape(end);
    else if (state === ESCAPE && byte === 0x5b) {
      this.#beginCsi();
    } else if (state === LATIN_1 && byte >= 0xa0 && byte < 0xc0) {
      this.#state = GROUND;
      this.#sink.onText(2, this.#before + end);
    } else {
      this.#state = findNextState(state, byte);
      this.#sink.onOther(this.#before + end);
    }
  }

  #beginCsi(): void {
    this.#state = IN_CSI;
    this.#prefix = this.#count = this.#params[0] = 0;
  }

  #beginEscape(end: number): void {
    // The sequence that ends here was not recognized. A separate report keeps it from being ignored.
    this.#sink.onOther(this.#before + end - 1);
    this.#start = this.#before + end - 1;
    this.#state = ESCAPE;
  }

  #giveUp(end: number): number {
    this.#state = LOST;
    this.#sink.onOther(this.#before + end);
    return end;
  }
}

/** Whether all four bytes are from 0x20 to 0x7e: any other byte sets the highest bit in one of these sums, or has it set. */
function isPlainWord(word: number): boolean {
  return (((word - 0x20202020) | (word + 0x01010101) | word) & 0x80808080) === 0;
}

function findNextState(state: number, byte: number): number {
  if (state === OSC) return byte === BEL ? GROUND : byte >= 0x20 && byte !== LATIN ? OSC : LOST;
  if (state === CHARSET) return byte >= 0x30 && byte <= 0x7e ? GROUND : LOST;
  if (state !== ESCAPE) return LOST;
  if (byte === 0x5d) return OSC;
  if (byte >= 0x20 && byte <= 0x2f) return CHARSET;
  const beginsString = byte === 0x50 || byte === 0x58 || byte === 0x5e || byte === 0x5f;
  return byte >= 0x30 && byte <= 0x7e && !beginsString ? GROUND : LOST;
}
