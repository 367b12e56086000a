/** Tells what a person typed from what the terminal itself answered (focus, mouse, colours, positions), however it is split. */
import { csiMeaning, ss3Meaning, startsString, type KeyKind, type Meaning } from "./input-sequences.js";

export type { KeyKind };

export interface Key {
  readonly kind: KeyKind;
  /** The character itself for `character` (also when it came as a sequence), else empty. */
  readonly text: string;
  readonly bytes: Uint8Array;
}

export interface InputReading {
  /** Somebody typed; also said while a long paste is still under way and has no key yet. */
  readonly typed: boolean;
  readonly keys: readonly Key[];
  /** Answers of the terminal, whole. */
  readonly reports: readonly Uint8Array[];
}

/** No key is longer, and no answer but the strings below. */
const SEQUENCE_BYTES_MAX = 256;
/** Clipboard answers are the longest. What is longer is taken for typing, which costs nothing but caution; pastes come in pieces of this. */
const STRING_BYTES_MAX = 256 * 1024;

const ESC = 0x1b;
const BEL = 0x07;
const DEL = 0x7f;
const BACKSLASH = 0x5c;
const PASTE_START = "200~";
const PASTE_END = [ESC, 0x5b, 0x32, 0x30, 0x31, 0x7e];

type Mode =
  "ground" | "utf8" | "escape" | "csi" | "console" | "mouse" | "ss3" | "string" | "stringEscape" | "paste";

export class InputClassifier {
  #mode: Mode = "ground";
  /** Bytes of the piece under way. */
  #held: number[] = [];
  /** Bytes that the piece under way still needs (`utf8`, `mouse`). */
  #missing = 0;
  #typed = false;
  #keys: Key[] = [];
  #reports: Uint8Array[] = [];

  readonly #modes: Readonly<Record<Mode, (byte: number) => void>> = {
    ground: (byte) => this.#ground(byte),
    utf8: (byte) => this.#utf8(byte),
    escape: (byte) => this.#escape(byte),
    csi: (byte) => this.#csi(byte),
    console: () => this.#emit({ is: "other" }),
    mouse: (byte) => this.#mouse(byte),
    ss3: (byte) => this.#ss3(byte),
    string: (byte) => this.#string(byte),
    stringEscape: (byte) => (byte === BACKSLASH ? this.#emit({ is: "report" }) : this.#giveUp()),
    paste: (byte) => this.#paste(byte),
  };

  /** True when a sequence has begun: call `flush` when nothing follows it soon, for Esc alone is the start of most sequences. */
  get pending(): boolean {
    return this.#held.length > 0 && this.#mode !== "paste";
  }

  push(chunk: Uint8Array): InputReading {
    for (const byte of chunk) this.#take(byte);
    return this.#reading();
  }

  /** No more bytes belong to what has begun: it was keys after all. A paste stays open. */
  flush(): InputReading {
    while (this.pending) {
      if (this.#mode === "escape") this.#emit(this.#held.length === 1 ? { is: "escape" } : { is: "other" });
      else if (this.#mode === "utf8") this.#emit({ is: "other" });
      else this.#giveUp();
    }
    return this.#reading();
  }

  #reading(): InputReading {
    const reading = { typed: this.#typed, keys: this.#keys, reports: this.#reports };
    this.#typed = false;
    this.#keys = [];
    this.#reports = [];
    return reading;
  }

  #take(byte: number): void {
    this.#held.push(byte);
    this.#modes[this.#mode](byte);
  }

  #ground(byte: number): void {
    if (byte === ESC) this.#mode = "escape";
    else if (byte === 0x0d || byte === 0x0a) this.#emit({ is: "enter" });
    else if (byte >= 0x20 && byte < DEL) this.#emit({ is: "character", text: String.fromCharCode(byte) });
    else if (byte >= 0xc2 && byte <= 0xf4) this.#needUtf8(byte);
    else this.#emit({ is: "other" });
  }

  #needUtf8(lead: number): void {
    this.#mode = "utf8";
    this.#missing = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
  }

  #utf8(byte: number): void {
    if ((byte & 0xc0) !== 0x80) {
      this.#held.pop();
      this.#emit({ is: "other" });
      this.#take(byte);
      return;
    }
    if (--this.#missing > 0) return;
    const withAlt = this.#held[0] === ESC;
    this.#emit(withAlt ? { is: "other" } : { is: "character", text: Buffer.from(this.#held).toString() });
  }

  #escape(byte: number): void {
    if (byte === ESC) {
      this.#held.pop();
      this.#emit({ is: "escape" });
      this.#take(byte);
    } else if (byte === 0x5b) this.#mode = "csi";
    else if (byte === 0x4f) this.#mode = "ss3";
    else if (startsString(byte)) this.#mode = "string";
    else if (byte >= 0xc2 && byte <= 0xf4) this.#needUtf8(byte);
    else this.#emit({ is: "other" });
  }

  #csi(byte: number): void {
    const isFinal = byte >= 0x40 && byte <= 0x7e;
    if (isFinal) this.#endCsi(String.fromCharCode(...this.#held.slice(2)));
    else if (byte < 0x20 || byte > 0x3f || this.#held.length > SEQUENCE_BYTES_MAX) this.#giveUp();
  }

  #endCsi(body: string): void {
    if (body === "M") {
      this.#mode = "mouse"; // The old report: button, column and row follow as one byte each.
      this.#missing = 3;
    } else if (body === "[") {
      this.#mode = "console"; // The Linux console's F1 to F5: one letter follows.
    } else if (body === PASTE_START) {
      this.#mode = "paste";
      this.#held = [];
      this.#typed = true;
    } else {
      this.#emit(csiMeaning(body));
    }
  }

  #mouse(byte: number): void {
    if (byte < 0x20) this.#giveUp();
    else if (--this.#missing === 0) this.#emit({ is: "report" });
  }

  #ss3(byte: number): void {
    if (byte >= 0x40 && byte <= 0x7e) this.#emit(ss3Meaning(byte));
    else this.#giveUp();
  }

  #string(byte: number): void {
    const isStart = this.#held.length === 3;
    if (isStart && !startsString(this.#held[1] ?? 0, byte)) this.#giveUp();
    else if (byte === BEL) this.#emit({ is: "report" });
    else if (byte === ESC) this.#mode = "stringEscape";
    else if (byte < 0x20 || byte === DEL || this.#held.length > STRING_BYTES_MAX) this.#giveUp();
  }

  #paste(byte: number): void {
    this.#typed = true;
    const end = this.#held.length - PASTE_END.length;
    if (byte === PASTE_END.at(-1) && PASTE_END.every((wanted, at) => this.#held[end + at] === wanted)) {
      this.#held.length = end;
      this.#emit({ is: "paste" });
    } else if (end >= STRING_BYTES_MAX) {
      const perhapsEnd = this.#held.splice(end);
      this.#emit({ is: "paste" });
      this.#held = perhapsEnd;
      this.#mode = "paste";
    }
  }

  /** It is no sequence: Esc was Alt for the key after it, and all the rest is read anew. */
  #giveUp(): void {
    const rest = this.#held.splice(2);
    this.#emit({ is: "other" });
    for (const byte of rest) this.#take(byte);
  }

  #emit(meaning: Meaning): void {
    const bytes = Uint8Array.from(this.#held);
    this.#held = [];
    this.#mode = "ground";
    if (meaning.is === "report") {
      this.#reports.push(bytes);
      return;
    }
    this.#typed = true;
    this.#keys.push({ kind: meaning.is, text: meaning.is === "character" ? meaning.text : "", bytes });
  }
}
