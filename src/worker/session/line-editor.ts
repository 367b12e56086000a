/** The input line of a conversation: edited with the usual keys, with a history, and shown below what comes in above it. */
import { createInterface, type Interface } from "node:readline";
import { PassThrough, Writable } from "node:stream";

/** Lines that Up brings back. */
const HISTORY_MAX = 200;
/** Stands for a line break inside of one input: a pasted text of several lines is one task, not several. */
const BREAK = "⏎";

/** A named key's sequence, or one character. */
const KEY = /\u001b(?:\[[0-9;]{0,8}[A-Za-z~]|O[A-Za-z])?|[^]/gu;

export interface LineEditorOptions {
  readonly columns: () => number;
  /** Puts text on the terminal. */
  readonly write: (text: string) => void;
  readonly onLine: (text: string) => void;
  /** Ctrl-C with nothing typed. */
  readonly onInterrupt: () => void;
  /** Ctrl-D with nothing typed. */
  readonly onEnd: () => void;
}

export class LineEditor {
  readonly #decoder = new TextDecoder();
  readonly #keys = new PassThrough();
  readonly #interface: Interface;
  readonly #options: LineEditorOptions;
  #open = false;
  #shown = false;

  constructor(options: LineEditorOptions) {
    this.#options = options;
    const output = new Writable({
      decodeStrings: false,
      write: (text, _, done) => {
        if (this.#open) options.write(String(text));
        done();
      },
    });
    Object.defineProperty(output, "columns", { get: options.columns });
    this.#interface = createInterface({
      input: this.#keys,
      output,
      terminal: true,
      historySize: HISTORY_MAX,
      removeHistoryDuplicates: true,
    });
    this.#interface.on("line", (line) => this.#onLine(line));
    this.#interface.on("SIGINT", () => this.#onInterrupt());
    this.#interface.on("close", () => this.#onClose());
  }

  /** Shows the line, with this before it. */
  open(prompt: string): void {
    this.#open = true;
    this.#shown = true;
    this.#interface.setPrompt(prompt);
    this.#interface.prompt();
  }

  /** Takes the line away; what was typed is kept for the next time. */
  close(): void {
    if (this.#shown) this.#options.write("\r\u001b[J");
    this.#shown = false;
    this.#open = false;
  }

  /** Puts text above the line. */
  above(text: string): void {
    if (this.#shown) this.#options.write("\r\u001b[J");
    this.#options.write(text);
    if (this.#shown) this.#interface.prompt(true);
  }

  take(bytes: Uint8Array): void {
    // One by one: of several in one piece, readline loses some.
    for (const [key] of oneInput(this.#decoder.decode(bytes, { stream: true })).matchAll(KEY))
      this.#keys.write(key);
  }

  end(): void {
    this.close();
    this.#interface.removeAllListeners("close");
    this.#interface.close();
  }

  #onLine(line: string): void {
    this.#shown = false;
    this.#open = false;
    this.#options.onLine(line.replaceAll(BREAK, "\n"));
  }

  #onInterrupt(): void {
    if (this.#interface.line === "") this.#options.onInterrupt();
    // As Ctrl-E and Ctrl-U: all of the line.
    else for (const name of ["e", "u"]) this.#interface.write(null, { ctrl: true, name });
  }

  #onClose(): void {
    this.#shown = false;
    this.#open = false;
    this.#options.onEnd();
  }
}

/** What one read brought: a line break with more behind it was pasted. */
function oneInput(text: string): string {
  return text.replaceAll(/\u001b\[20[01]~/g, "").replaceAll(/\r\n?(?=[^])|\n(?=[^])/g, BREAK);
}
