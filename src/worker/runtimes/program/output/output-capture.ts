/** Captures the output of one command: bounded text as a person would see it, and files with the whole if it is long. */
import { OutputText, type OutputSize } from "../../../screen/output-text.js";
import { BoundedFile } from "./bounded-file.js";
import { PROMPT_BYTES_MAX, measureEditorEnd, measurePrompt } from "./editor-bytes.js";

/** Chat messages are shorter, and agents read no more at once. */
const HEAD_CHARACTERS = 24 * 1024;
const TAIL_CHARACTERS = 24 * 1024;
export const RAW_BYTES = 64 * 1024;

export interface CapturedOutput {
  /** Both ends if `cut`; the whole otherwise. */
  readonly text: string;
  readonly cut: number;
  /** Holds the whole text, up to 64 MiB; null if `text` is complete. */
  readonly file: string | null;
  /** Holds the unchanged bytes; null if `raw` is complete. */
  readonly rawFile: string | null;
  readonly raw: Uint8Array;
  readonly bytes: number;
  /** The text is exactly what a terminal shows, and the files are complete. */
  readonly isExact: boolean;
}

export const NO_OUTPUT: CapturedOutput = {
  text: "",
  cut: 0,
  file: null,
  rawFile: null,
  raw: new Uint8Array(0),
  bytes: 0,
  isExact: true,
};

export interface OutputCaptureOptions {
  readonly size: () => OutputSize;
  readonly folder: string;
  readonly name: string;
  readonly bareLineFeeds: boolean;
  /** A line editor was still active where the output begins. */
  readonly isEditing: () => boolean;
}

export class OutputCapture {
  readonly #size: () => OutputSize;
  readonly #isEditing: () => boolean;
  readonly #transcript: OutputText;
  readonly #text: BoundedFile;
  readonly #raw: BoundedFile;
  #head = "";
  #tail = "";
  #characters = 0;
  #rawHead: Uint8Array[] = [];
  #rawTail: Uint8Array = new Uint8Array(0);
  #bytes = 0;
  #prompt = "";
  #isLast = false;

  constructor({ size, folder, name, bareLineFeeds, isEditing }: OutputCaptureOptions) {
    this.#size = size;
    this.#isEditing = isEditing;
    this.#transcript = new OutputText(size(), (text) => this.#onText(text), bareLineFeeds);
    this.#text = new BoundedFile(folder, `${name}.txt`);
    this.#raw = new BoundedFile(folder, `${name}.raw`);
  }

  /** Text after the mark of the end is not kept as raw bytes: they may draw the prompt. */
  pushLate(bytes: Uint8Array): void {
    this.#transcript.resize(this.#size());
    this.#transcript.write(bytes);
  }

  push(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.pushLate(bytes);
    this.#bytes += bytes.length;
    this.#rawTail = Buffer.concat([this.#rawTail, bytes.subarray(-PROMPT_BYTES_MAX)]).subarray(
      -PROMPT_BYTES_MAX,
    );
    if (!this.#raw.isOpen && this.#bytes <= RAW_BYTES) {
      this.#rawHead.push(bytes.slice());
      return;
    }
    if (!this.#raw.isOpen) this.#raw.write(this.#takeHead());
    this.#raw.write(bytes);
  }

  peek(): CapturedOutput {
    const { pending, isExact } = this.#transcript;
    const characters = this.#characters + pending.length;
    const isWhole = this.#tail === "" && characters <= HEAD_CHARACTERS + TAIL_CHARACTERS;
    const all = (this.#tail === "" ? this.#head : this.#tail) + pending;
    const end = isWhole ? all : all.slice(-TAIL_CHARACTERS);
    const cut = characters - end.length;
    const text = cut > 0 ? `[… ${cut} characters left out …]\n${end}` : end;
    return { text, cut, file: null, rawFile: null, raw: new Uint8Array(0), bytes: this.#bytes, isExact };
  }

  end(prompt: string): CapturedOutput {
    this.#prompt = prompt;
    this.#isLast = true;
    const { isExact, pending } = this.#transcript;
    const promptBytes = measurePrompt(this.#rawTail, prompt, pending.slice(pending.lastIndexOf("\n") + 1));
    this.#transcript.end();
    const head = this.#raw.isOpen ? new Uint8Array(0) : this.#takeHead();
    const bytes = this.#bytes - promptBytes;
    const file = this.#text.close();
    const rawFile = this.#raw.close(bytes);
    const cut = Math.max(0, this.#characters - this.#head.length - this.#tail.length);
    return {
      text:
        cut > 0 ? `${this.#head}\n[… ${cut} characters left out …]\n${this.#tail}` : this.#head + this.#tail,
      cut,
      file: cut > 0 ? file : null,
      rawFile,
      raw: head.subarray(0, bytes),
      bytes,
      isExact: isExact && this.#text.isWhole && this.#raw.isWhole,
    };
  }

  #takeHead(): Uint8Array {
    const head = Buffer.concat(this.#rawHead);
    const drawn = this.#isEditing() ? measureEditorEnd(head) : 0;
    this.#bytes -= drawn;
    return head.subarray(drawn);
  }

  #onText(text: string): void {
    const own =
      this.#isLast && this.#prompt !== "" && text.endsWith(this.#prompt)
        ? text.slice(0, -this.#prompt.length)
        : text;
    const room = HEAD_CHARACTERS - this.#head.length;
    const fits = this.#characters === this.#head.length && own.length <= room;
    this.#characters += own.length;
    if (fits) {
      this.#head += own;
      return;
    }
    const toHead = this.#tail === "" && this.#head.length < HEAD_CHARACTERS ? room : 0;
    this.#text.write(this.#text.isOpen ? own : this.#head + own);
    this.#head += own.slice(0, toHead);
    const tail = this.#tail + own.slice(toHead);
    this.#tail = tail.length > TAIL_CHARACTERS ? tail.slice(-TAIL_CHARACTERS) : tail;
  }
}
