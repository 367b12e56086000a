/** Output cut into what an emulator does with it: text, controls and sequences, however the bytes are split. Only what is asked for is told apart. */

/** What is told, in order. Offsets count all bytes that were ever pushed; `end` is behind the last byte. */
export interface TokenSink {
  /** `bytes` of text; it takes no more columns than bytes. */
  text(bytes: number, end: number): void;
  carriageReturn(end: number): void;
  /** `afterReturn`: the byte before it was a carriage return. */
  lineFeed(afterReturn: boolean, end: number): void;
  tab(end: number): void;
  /** `prefix` is 0 or the private mark; parameters left out are 0. Begins at `start`. */
  csi(final: number, prefix: number, params: Int32Array, count: number, start: number, end: number): void;
  /** Anything else: whatever it does, it may begin before and end behind these bytes. Of several in a row only the last may be told. */
  other(end: number): void;
}

const CR = 0x0d;
const LF = 0x0a;
const TAB = 0x09;
const ESC = 0x1b;
const BEL = 0x07;
/** Begins U+0080 to U+00BF; the first half of these are control characters. */
const LATIN = 0xc2;

/** More parameters than any sequence that is told apart has. */
const PARAMS_MAX = 24;
const PARAM_MAX = 99_999;

/** States, as numbers for speed. `LOST`: within something that is not told apart. An escape character begins anew in every state. */
const [GROUND, LATIN_1, ESCAPE, CHARSET, IN_CSI, OSC, LOST] = [0, 1, 2, 3, 4, 5, 6] as const;

/** A chunk shorter than this is not worth a view of its words. */
const WORDS_BYTES_MIN = 64;

/** 1 for the bytes of which text is made. */
const TEXT = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x20 && byte !== 0x7f && byte !== LATIN ? 1 : 0,
);

const NO_WORDS = new Int32Array();

export class Tokens {
  readonly #sink: TokenSink;
  readonly #params = new Int32Array(PARAMS_MAX);
  #state: number = GROUND;
  /** Bytes pushed before those at hand. */
  #before = 0;
  #start = 0;
  #prefix = 0;
  #count = 0;
  #wasReturn = false;
  /** Four bytes each of what is at hand, from its byte `#lead` on: text is passed over in words. */
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
      if (this.#state === GROUND) at = this.#ground(bytes, at);
      else if (this.#state === IN_CSI) at = this.#csi(bytes, at);
      else if (this.#state === LOST) at = this.#lost(bytes, at);
      else this.#within(bytes[at] ?? 0, ++at);
    }
    this.#before += bytes.length;
    this.#words = NO_WORDS;
  }

  /** Takes all that needs no memory; returns where that ends. */
  #ground(bytes: Uint8Array, from: number): number {
    const sink = this.#sink;
    const before = this.#before;
    let wasReturn = this.#wasReturn;
    let at = from;
    while (at < bytes.length) {
      const start = at;
      at = this.#textEnd(bytes, at);
      if (at > start) {
        sink.text(at - start, before + at);
        wasReturn = false;
      }
      if (at === bytes.length) break;
      const byte = bytes[at++];
      if (byte === LF) sink.lineFeed(wasReturn, before + at);
      else if (byte === CR) sink.carriageReturn(before + at);
      else if (byte === TAB) sink.tab(before + at);
      else if (byte === ESC || byte === LATIN) {
        this.#start = before + at - 1;
        if (byte === ESC && bytes[at] === 0x5b) {
          this.#beginCsi();
          at++;
        } else this.#state = byte === ESC ? ESCAPE : LATIN_1;
        wasReturn = false;
        break;
      } else sink.other(before + at);
      wasReturn = byte === CR;
    }
    this.#wasReturn = wasReturn;
    return at;
  }

  /** Where text that begins at `from` ends. */
  #textEnd(bytes: Uint8Array, from: number): number {
    const words = this.#words;
    const lead = this.#lead;
    for (let at = from; ;) {
      // Up to the next word, or the four bytes of one that is more than plain text.
      for (const border = ((at - lead) & ~3) + lead + 4; at < border; at++)
        if (at === bytes.length || TEXT[bytes[at] ?? 0] !== 1) return at;
      let word = (at - lead) >> 2;
      while (word < words.length && isPlain(words[word] ?? 0)) word++;
      at = lead + 4 * word;
    }
  }

  #csi(bytes: Uint8Array, from: number): number {
    const params = this.#params;
    let count = this.#count;
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      if (byte >= 0x30 && byte <= 0x39) {
        const value = (params[count] ?? 0) * 10 + byte - 0x30;
        if (value > PARAM_MAX) return this.#lose(at + 1);
        params[count] = value;
      } else if (byte === 0x3b) {
        if (++count === PARAMS_MAX) return this.#lose(at + 1);
        params[count] = 0;
      } else if (byte >= 0x40 && byte <= 0x7e) {
        this.#state = GROUND;
        this.#sink.csi(byte, this.#prefix, params, count + 1, this.#start, this.#before + at + 1);
        return at + 1;
      } else if (byte >= 0x3c && byte <= 0x3f && this.#before + at === this.#start + 2) this.#prefix = byte;
      else {
        if (byte === ESC) this.#escape(at + 1);
        else this.#lose(at + 1);
        return at + 1;
      }
    }
    this.#count = count;
    return bytes.length;
  }

  /** Only an escape character is told apart. */
  #lost(bytes: Uint8Array, from: number): number {
    const escape = bytes.indexOf(ESC, from);
    const end = escape < 0 ? bytes.length : escape + 1;
    if (escape < 0) this.#sink.other(this.#before + end);
    else this.#escape(end);
    return end;
  }

  #within(byte: number, end: number): void {
    const state = this.#state;
    if (byte === ESC) this.#escape(end);
    else if (state === ESCAPE && byte === 0x5b) {
      this.#beginCsi();
    } else if (state === LATIN_1 && byte >= 0xa0 && byte < 0xc0) {
      this.#state = GROUND;
      this.#sink.text(2, this.#before + end);
    } else {
      this.#state = followed(state, byte);
      this.#sink.other(this.#before + end);
    }
  }

  #beginCsi(): void {
    this.#state = IN_CSI;
    this.#prefix = this.#count = this.#params[0] = 0;
  }

  #escape(end: number): void {
    // What it ends was never told apart; told as something of its own it cannot be taken for nothing.
    this.#sink.other(this.#before + end - 1);
    this.#start = this.#before + end - 1;
    this.#state = ESCAPE;
  }

  #lose(end: number): number {
    this.#state = LOST;
    this.#sink.other(this.#before + end);
    return end;
  }
}

/** All four bytes are from 0x20 to 0x7e: no other sets the highest bit in one of these sums, or has it set. */
function isPlain(word: number): boolean {
  return (((word - 0x20202020) | (word + 0x01010101) | word) & 0x80808080) === 0;
}

/** The state behind a byte of what is not told apart. */
function followed(state: number, byte: number): number {
  if (state === OSC) return byte === BEL ? GROUND : byte >= 0x20 && byte !== LATIN ? OSC : LOST;
  if (state === CHARSET) return byte >= 0x30 && byte <= 0x7e ? GROUND : LOST;
  if (state !== ESCAPE) return LOST;
  if (byte === 0x5d) return OSC;
  if (byte >= 0x20 && byte <= 0x2f) return CHARSET;
  const beginsString = byte === 0x50 || byte === 0x58 || byte === 0x5e || byte === 0x5f;
  return byte >= 0x30 && byte <= 0x7e && !beginsString ? GROUND : LOST;
}
