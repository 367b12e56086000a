/** The input line of a conversation: edited with the usual keys, with a history, and shown below what comes in above it. */
import { createInterface, type Interface } from "node:readline";
import { PassThrough, Writable } from "node:stream";
import { LastLine } from "./last-line.js";

/** Lines that Up brings back. */
const HISTORY_MAX = 200;
/** Stands for a line break inside of one input: a pasted text of several lines is one task, not several. */
const BREAK = "⏎";

/** A named key's sequence, or one character. */
const KEY = /\u001b(?:\[[0-9;]{0,8}[A-Za-z~]|O[A-Za-z])?|[^]/gu;

export interface LineEditorOptions {
  /** Before the line at which what is typed while none is shown will stand. */
  readonly prompt: string;
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
  readonly #last: LastLine;
  #shown = false;
  /** What readline draws does not reach the terminal, and it takes everything for one row. */
  #mute = true;
  #over = false;
  #prompt: string;
  /** What was typed and not sent, by what stands before it. */
  readonly #drafts = new Map<string, string>();
  /** Lines that were typed while none was shown. */
  #ahead: string[] = [];

  constructor(options: LineEditorOptions) {
    this.#options = options;
    this.#prompt = options.prompt;
    this.#last = new LastLine(options.columns);
    const output = new Writable({
      decodeStrings: false,
      write: (text, _, done) => {
        if (!this.#mute) options.write(String(text));
        done();
      },
    });
    Object.defineProperty(output, "columns", { get: () => (this.#mute ? Infinity : options.columns()) });
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

  /** Shows the line, with this before it; one that was typed before is shown and taken. */
  open(prompt = this.#options.prompt): void {
    if (this.#over) return;
    this.close();
    this.#switchPrompt(prompt);
    const ahead = prompt === this.#options.prompt ? this.#ahead.shift() : undefined;
    if (ahead === undefined) {
      this.#draw();
      return;
    }
    this.note(`${prompt}${ahead}`);
    this.#options.onLine(ahead.replaceAll(BREAK, "\n"));
  }

  /** Lines that were typed ahead are not taken by themselves; Up brings them back. */
  forgetAhead(): void {
    this.#ahead = [];
  }

  /** Takes the line away; what was typed is kept for the next time. */
  close(): void {
    if (this.#shown) this.#erase();
  }

  /** Puts text above the line: it goes on where the text before it stopped. */
  above(text: string): void {
    if (text === "") return;
    const wasShown = this.#shown;
    this.close();
    this.#options.write(this.#last.append(text));
    if (wasShown) this.#draw();
  }

  /** Puts a line of our own above the line, which goes on with nobody's text. */
  note(line: string): void {
    const wasShown = this.#shown;
    this.close();
    this.#options.write(`${this.#last.leave()}${line}\n`);
    this.#last.end();
    if (wasShown) this.#draw();
  }

  /** The terminal has another width: where the rows broke, they break elsewhere. */
  resized(): void {
    if (!this.#shown) return;
    this.#erase();
    this.#draw();
  }

  /** What is typed while no line is shown stands there when it is. */
  take(bytes: Uint8Array): void {
    if (this.#over) return;
    if (!this.#shown) this.#switchPrompt(this.#options.prompt);
    // One by one: of several in one piece, readline loses some.
    for (const [key] of joinPasted(this.#decoder.decode(bytes, { stream: true })).matchAll(KEY))
      this.#keys.write(key);
  }

  /** Leaves the terminal at the beginning of a row. */
  end(): void {
    this.close();
    this.#options.write(this.#last.leave());
    this.#over = true;
    this.#interface.removeAllListeners("close");
    this.#interface.close();
  }

  /** A task that was begun is no answer, nor the other way round. */
  #switchPrompt(prompt: string): void {
    if (prompt !== this.#prompt) {
      this.#drafts.set(this.#prompt, this.#interface.line);
      this.#empty();
      this.#interface.write(this.#drafts.get(prompt) ?? "");
    }
    this.#prompt = prompt;
    this.#interface.setPrompt(prompt);
  }

  #draw(): void {
    // Nothing of the line is on the terminal, whatever readline drew before.
    this.#interface.prompt(true);
    this.#options.write(this.#last.leave());
    this.#mute = false;
    this.#shown = true;
    this.#interface.prompt(true);
  }

  /** All rows of it, from the one where it begins. */
  #erase(): void {
    const { rows } = this.#interface.getCursorPos();
    this.#options.write(`\r${rows > 0 ? `\u001b[${rows}A` : ""}\u001b[J`);
    this.#shown = false;
    this.#mute = true;
  }

  #onLine(line: string): void {
    if (!this.#shown) {
      if (line.trim() !== "") this.#ahead.push(line);
      return;
    }
    this.#shown = false;
    this.#mute = true;
    this.#last.end();
    this.#options.onLine(line.replaceAll(BREAK, "\n"));
  }

  #onInterrupt(): void {
    if (this.#interface.line === "") this.#options.onInterrupt();
    else this.#empty();
  }

  /** As Ctrl-E and Ctrl-U do. */
  #empty(): void {
    for (const name of ["e", "u"]) this.#interface.write(null, { ctrl: true, name });
  }

  #onClose(): void {
    this.close();
    this.#over = true;
    this.#options.onEnd();
  }
}

/** What one read brought: a line break with more behind it was pasted. */
function joinPasted(text: string): string {
  return text.replaceAll(/\u001b\[20[01]~/g, "").replaceAll(/\r\n?(?=[^])|\n(?=[^])/g, BREAK);
}
