/** The input line of a conversation: it is edited with the usual keys, has a history, and stays below incoming text. */
import { createInterface, type Interface } from "node:readline";
import { PassThrough, Writable } from "node:stream";
import { LastLine } from "./last-line.js";

/** The most lines that Up brings back. */
const HISTORY_MAX = 200;
/** Shown for a line break within one input: a pasted text of several lines is one task. */
const BREAK = "⏎";

/** A named key's sequence, or one character. */
const KEY = /\u001b(?:\[[0-9;]{0,8}[A-Za-z~]|O[A-Za-z])?|[^]/gu;

export interface LineEditorOptions {
  /** The prompt of the line that will hold what is typed while no line is shown. */
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
  #isShown = false;
  /** While true, what readline draws does not reach the terminal, and readline takes everything for one row. */
  #isMuted = true;
  #isClosed = false;
  #prompt: string;
  /** What was typed and not sent, by the prompt before it. */
  readonly #drafts = new Map<string, string>();
  /** Lines that were typed while no line was shown. */
  #typedAhead: string[] = [];

  constructor(options: LineEditorOptions) {
    this.#options = options;
    this.#prompt = options.prompt;
    this.#last = new LastLine(options.columns);
    const output = new Writable({
      decodeStrings: false,
      write: (text, _, done) => {
        if (!this.#isMuted) options.write(String(text));
        done();
      },
    });
    Object.defineProperty(output, "columns", { get: () => (this.#isMuted ? Infinity : options.columns()) });
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

  /** Shows the line with this prompt. A line that was typed ahead is shown and submitted. */
  open(prompt = this.#options.prompt): void {
    if (this.#isClosed) return;
    this.close();
    this.#switchPrompt(prompt);
    const ahead = prompt === this.#options.prompt ? this.#typedAhead.shift() : undefined;
    if (ahead === undefined) {
      this.#draw();
      return;
    }
    this.writeNote(`${prompt}${ahead}`);
    this.#options.onLine(ahead.replaceAll(BREAK, "\n"));
  }

  /** Lines that were typed ahead are not submitted any more; Up brings them back. */
  forgetTypedAhead(): void {
    this.#typedAhead = [];
  }

  /** Removes the line; what was typed is kept for the next time. */
  close(): void {
    if (this.#isShown) this.#erase();
  }

  /** Writes text above the line: it continues where the text before it stopped. */
  writeAbove(text: string): void {
    if (text === "") return;
    const wasShown = this.#isShown;
    this.close();
    this.#options.write(this.#last.append(text));
    if (wasShown) this.#draw();
  }

  /** Writes a line of our own above the line; nothing continues it. */
  writeNote(line: string): void {
    const wasShown = this.#isShown;
    this.close();
    this.#options.write(`${this.#last.breakLine()}${line}\n`);
    this.#last.reset();
    if (wasShown) this.#draw();
  }

  /** Call when the terminal has another width: then the rows break at other places. */
  redraw(): void {
    if (!this.#isShown) return;
    this.#erase();
    this.#draw();
  }

  /** Takes typed bytes. What is typed while no line is shown appears in the next one. */
  take(bytes: Uint8Array): void {
    if (this.#isClosed) return;
    if (!this.#isShown) this.#switchPrompt(this.#options.prompt);
    // One by one: readline loses some of several keys in one piece.
    for (const [key] of joinPasted(this.#decoder.decode(bytes, { stream: true })).matchAll(KEY))
      this.#keys.write(key);
  }

  /** Closes the editor, with the cursor at the beginning of a row. */
  end(): void {
    this.close();
    this.#options.write(this.#last.breakLine());
    this.#isClosed = true;
    this.#interface.removeAllListeners("close");
    this.#interface.close();
  }

  /** The draft of a task is not an answer, and the other way round. */
  #switchPrompt(prompt: string): void {
    if (prompt !== this.#prompt) {
      this.#drafts.set(this.#prompt, this.#interface.line);
      this.#clearInput();
      this.#interface.write(this.#drafts.get(prompt) ?? "");
    }
    this.#prompt = prompt;
    this.#interface.setPrompt(prompt);
  }

  #draw(): void {
    // The line is not on the terminal, whatever readline drew before.
    this.#interface.prompt(true);
    this.#options.write(this.#last.breakLine());
    this.#isMuted = false;
    this.#isShown = true;
    this.#interface.prompt(true);
  }

  /** Erases all rows of the line, from its first one. */
  #erase(): void {
    const { rows } = this.#interface.getCursorPos();
    this.#options.write(`\r${rows > 0 ? `\u001b[${rows}A` : ""}\u001b[J`);
    this.#isShown = false;
    this.#isMuted = true;
  }

  #onLine(line: string): void {
    if (!this.#isShown) {
      if (line.trim() !== "") this.#typedAhead.push(line);
      return;
    }
    this.#isShown = false;
    this.#isMuted = true;
    this.#last.reset();
    this.#options.onLine(line.replaceAll(BREAK, "\n"));
  }

  #onInterrupt(): void {
    if (this.#interface.line === "") this.#options.onInterrupt();
    else this.#clearInput();
  }

  /** Clears the line as Ctrl-E and Ctrl-U do. */
  #clearInput(): void {
    for (const name of ["e", "u"]) this.#interface.write(null, { ctrl: true, name });
  }

  #onClose(): void {
    this.close();
    this.#isClosed = true;
    this.#options.onEnd();
  }
}

/** Joins the lines of one read: a line break with more text after it was pasted. */
function joinPasted(text: string): string {
  return text.replaceAll(/\u001b\[20[01]~/g, "").replaceAll(/\r\n?(?=[^])|\n(?=[^])/g, BREAK);
}
