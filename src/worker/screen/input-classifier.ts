/** Tells what a person typed from what the terminal itself sent (focus, mouse, colours, positions), however the bytes are split. */
import { readCsi, readSs3, isStringStart, type KeyKind, type SequenceMeaning } from "./input-sequences.js";

export interface Key {
  readonly kind: KeyKind;
  /** The character itself for `character` (also when it came as a sequence), else empty. */
  readonly text: string;
  readonly bytes: Uint8Array;
}

export interface InputReading {
  /** Somebody typed. Also true while a long paste is still arriving and has no key yet. */
  readonly typed: boolean;
  readonly keys: readonly Key[];
  /** Complete answers of the terminal. */
  readonly reports: readonly Uint8Array[];
}

/** No key is longer than this, and no answer except the strings below. */
const SEQUENCE_BYTES_MAX = 256;
/**
 * Clipboard answers are the longest. Anything longer counts as typing, which is the cautious choice. Pastes are reported in pieces
 * of this size.
 */
const STRING_BYTES_MAX = 256 * 1024;

const ESC = 0x1b;
const BEL = 0x07;
const DEL = 0x7f;
const BACKSLASH = 0x5c;
const PASTE_START = "200~";
const PASTE_END = [ESC, 0x5b, 0x32, 0x30, 0x31, 0x7e];

type ClassifierMode =
  "ground" | "utf8" | "escape" | "csi" | "console" | "mouse" | "ss3" | "string" | "stringEscape" | "paste";

export class InputClassifier {
  #mode: ClassifierMode = "ground";
  #held: number[] = [];
  /** Number of bytes that the unfinished sequence still needs (`utf8`, `mouse`). */
  #missingBytes = 0;
  #typed = false;
  #keys: Key[] = [];
  #reports: Uint8Array[] = [];

  readonly #modes: Readonly<Record<ClassifierMode, (byte: number) => void>> = {
    ground: (byte) => this.#takeGround(byte),
    utf8: (byte) => this.#takeUtf8(byte),
    escape: (byte) => this.#takeEscape(byte),
    csi: (byte) => this.#takeCsi(byte),
    console: () => this.#emit({ is: "other" }),
    mouse: (byte) => this.#takeMouse(byte),
    ss3: (byte) => this.#takeSs3(byte),
    string: (byte) => this.#takeString(byte),
    stringEscape: (byte) => (byte === BACKSLASH ? this.#emit({ is: "report" }) : this.#giveUp()),
    paste: (byte) => this.#takePaste(byte),
  };

  /** True when a sequence has begun. Call `flush` when nothing follows soon, because Esc alone is the start of most sequences. */
  get pending(): boolean {
    return this.#held.length > 0 && this.#mode !== "paste";
  }

  push(chunk: Uint8Array): InputReading {
    for (const byte of chunk) this.#take(byte);
    return this.#takeReading();
  }

  /** Call when no more bytes belong to the begun sequence: then it was keys. A paste stays open. */
  flush(): InputReading {
    while (this.pending) {
      if (this.#mode === "escape") this.#emit(this.#held.length === 1 ? { is: "escape" } : { is: "other" });
      else if (this.#mode === "utf8") this.#emit({ is: "other" });
      else this.#giveUp();
    }
    return this.#takeReading();
  }

  #takeReading(): InputReading {
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

  #takeGround(byte: number): void {
    if (byte === ESC) this.#mode = "escape";
    else if (byte === 0x0d || byte === 0x0a) this.#emit({ is: "enter" });
    else if (byte >= 0x20 && byte < DEL) this.#emit({ is: "character", text: String.fromCharCode(byte) });
    else if (byte >= 0xc2 && byte <= 0xf4) this.#expectUtf8(byte);
    else this.#emit({ is: "other" });
  }

  #expectUtf8(lead: number): void {
    this.#mode = "utf8";
    this.#missingBytes = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
  }

  #takeUtf8(byte: number): void {
    if ((byte & 0xc0) !== 0x80) {
      this.#held.pop();
      this.#emit({ is: "other" });
      this.#take(byte);
      return;
    }
    if (--this.#missingBytes > 0) return;
    const withAlt = this.#held[0] === ESC;
    this.#emit(withAlt ? { is: "other" } : { is: "character", text: Buffer.from(this.#held).toString() });
  }

  #takeEscape(byte: number): void {
    if (byte === ESC) {
      this.#held.pop();
      this.#emit({ is: "escape" });
      this.#take(byte);
    } else if (byte === 0x5b) this.#mode = "csi";
    else if (byte === 0x4f) this.#mode = "ss3";
    else if (isStringStart(byte)) this.#mode = "string";
    else if (byte >= 0xc2 && byte <= 0xf4) this.#expectUtf8(byte);
    else this.#emit({ is: "other" });
  }

  #takeCsi(byte: number): void {
    const isFinal = byte >= 0x40 && byte <= 0x7e;
    if (isFinal) this.#endCsi(String.fromCharCode(...this.#held.slice(2)));
    else if (byte < 0x20 || byte > 0x3f || this.#held.length > SEQUENCE_BYTES_MAX) this.#giveUp();
  }

  #endCsi(body: string): void {
    if (body === "M") {
      this.#mode = "mouse"; // The old report: button, column and row follow as one byte each.
      this.#missingBytes = 3;
    } else if (body === "[") {
      this.#mode = "console"; // The Linux console's F1 to F5: one letter follows.
    } else if (body === PASTE_START) {
      this.#mode = "paste";
      this.#held = [];
      this.#typed = true;
    } else {
      this.#emit(readCsi(body));
    }
  }

  #takeMouse(byte: number): void {
    if (byte < 0x20) this.#giveUp();
    else if (--this.#missingBytes === 0) this.#emit({ is: "report" });
  }

  #takeSs3(byte: number): void {
    if (byte >= 0x40 && byte <= 0x7e) this.#emit(readSs3(byte));
    else this.#giveUp();
  }

  #takeString(byte: number): void {
    const isStart = this.#held.length === 3;
    if (isStart && !isStringStart(this.#held[1] ?? 0, byte)) this.#giveUp();
    else if (byte === BEL) this.#emit({ is: "report" });
    else if (byte === ESC) this.#mode = "stringEscape";
    else if (byte < 0x20 || byte === DEL || this.#held.length > STRING_BYTES_MAX) this.#giveUp();
  }

  #takePaste(byte: number): void {
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

  /** It is no sequence: Esc was Alt for the key after it, and the rest is read again from the start. */
  #giveUp(): void {
    const rest = this.#held.splice(2);
    this.#emit({ is: "other" });
    for (const byte of rest) this.#take(byte);
  }

  #emit(meaning: SequenceMeaning): void {
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
