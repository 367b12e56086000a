/** The input line of a session, edited by node:readline. It is hidden while other text is written, and drawn again below it. */
import { createInterface, type Interface } from "node:readline";
import { Readable, Writable } from "node:stream";

const HISTORY_MAX = 200;
/** Shows a line break in one input: pasted text of several lines is one task. */
const BREAK = "⏎";
/** The sequence of a named key, or one character. */
const KEY = /\u001b(?:\[[0-9;]{0,8}[A-Za-z~]|O[A-Za-z])?|[^]/gu;

export type LineKind = "task" | "answer";
const PROMPTS: Readonly<Record<LineKind, string>> = { task: "› ", answer: "answer › " };

export interface LineEditorOptions {
  readonly columns: () => number;
  readonly write: (text: string) => void;
  readonly onLine: (kind: LineKind, text: string) => void;
  readonly onInterrupt: () => void;
  readonly onEnd: () => void;
}

export class LineEditor {
  readonly #options: LineEditorOptions;
  readonly #decoder = new TextDecoder();
  readonly #output: Writable;
  #shown: { readonly kind: LineKind; readonly readline: Interface; readonly keys: Readable } | null = null;
  #history: readonly string[] = [];
  #draft = "";
  #isAtRowStart = true;
  /** We ended the row of a text that may still continue. */
  #hasEndedRow = false;

  constructor(options: LineEditorOptions) {
    this.#options = options;
    this.#output = new Writable({
      decodeStrings: false,
      write: (text, _, done) => {
        options.write(String(text));
        done();
      },
    });
    Object.defineProperty(this.#output, "columns", { get: options.columns });
  }

  get shownKind(): LineKind | null {
    return this.#shown?.kind ?? null;
  }

  show(kind: LineKind, typed = kind === "task" ? this.#draft : ""): void {
    if (this.#shown?.kind === kind) return;
    this.hide();
    if (!this.#isAtRowStart) {
      this.#options.write("\n");
      this.#isAtRowStart = this.#hasEndedRow = true;
    }
    this.#open(kind).prompt();
    this.#press(typed);
  }

  /** Hides the line and returns its text; that of a task is kept. */
  hide(): string {
    if (!this.#shown) return "";
    const { kind, readline } = this.#shown;
    const { rows } = readline.getCursorPos();
    this.#options.write(`\r${rows > 0 ? `\u001b[${rows}A` : ""}\u001b[J`);
    if (kind === "task") this.#draft = readline.line;
    this.#close(readline);
    return readline.line;
  }

  /** Writes text above the line. The next text continues it, unless the line was shown in between. */
  print(text: string): void {
    const kind = this.shownKind;
    const typed = this.hide();
    this.#options.write(this.#hasEndedRow ? text.replace(/^\n/, "") : text);
    if (text !== "") {
      this.#isAtRowStart = text.endsWith("\n");
      this.#hasEndedRow = false;
    }
    if (kind !== null) this.show(kind, typed);
  }

  printNote(line: string): void {
    this.print(`${this.#isAtRowStart ? "" : "\n"}${line}\n`);
  }

  take(bytes: Uint8Array): void {
    this.#press(this.#decode(bytes).replaceAll(/\r\n?(?=[^])|\n(?=[^])/g, BREAK));
  }

  /** Keeps typed keys, except Ctrl-D, for the next task, which the person has yet to send. */
  keepForTask(bytes: Uint8Array): void {
    this.#draft += this.#decode(bytes)
      .replaceAll("\u0004", "")
      .replaceAll(/\r\n?|\n/g, BREAK);
  }

  end(): void {
    this.hide();
    if (!this.#isAtRowStart) this.#options.write("\n");
  }

  #open(kind: LineKind): Interface {
    const keys = new Readable({ read: () => undefined });
    const readline = createInterface({
      input: keys,
      output: this.#output,
      terminal: true,
      prompt: PROMPTS[kind],
      // An answer may be private, and none is a task.
      history: kind === "task" ? [...this.#history] : [],
      historySize: HISTORY_MAX,
      removeHistoryDuplicates: true,
    });
    this.#shown = { kind, readline, keys };
    readline.on("history", (lines) => {
      if (kind === "task") this.#history = lines;
    });
    readline.on("line", (line) => {
      if (kind === "task") this.#draft = "";
      this.#close(readline);
      this.#options.onLine(kind, line.replaceAll(BREAK, "\n"));
    });
    readline.on("SIGINT", () => {
      if (readline.line === "") this.#options.onInterrupt();
      // Ctrl-E and Ctrl-U clear the line.
      else for (const name of ["e", "u"]) readline.write(null, { ctrl: true, name });
    });
    readline.on("close", () => {
      if (this.#shown?.readline !== readline) return;
      this.hide();
      this.#options.onEnd();
    });
    return readline;
  }

  #close(readline: Interface): void {
    this.#shown = null;
    readline.close();
  }

  #decode(bytes: Uint8Array): string {
    return this.#decoder.decode(bytes, { stream: true });
  }

  /** One key at a time, because readline loses some if several come at once. */
  #press(keys: string): void {
    for (const [key] of keys.matchAll(KEY)) this.#shown?.keys.emit("data", key);
  }
}
