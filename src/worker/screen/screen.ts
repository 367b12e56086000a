/** The screen of record (design §6): the tool's bytes in, immutable views out. Knows nothing of prompts. */
import xterm from "@xterm/headless";
import type { Terminal as XtermTerminal } from "@xterm/headless";
import type { Cancel } from "../../model/clock.js";
import type { View } from "../../sdk/view.js";
import { LeftModes } from "./left-modes.js";
import { pictureOf } from "./picture.js";
import { Scrollback, SCROLLBACK_LINES_MAX } from "./scrollback.js";
import { WholeCharacters } from "./whole-characters.js";
import { useModernWidths } from "./widths.js";

export interface ScreenSize {
  readonly cols: number;
  readonly rows: number;
}

/** Smallest and largest sizes the emulator takes; a terminal of 0×0 is reported by some pipes. */
const SIZE_MIN = 2;
const SIZE_MAX = 2000;

/** Parsing makes way for keys and output after this long: under a flood it is nearly all that we do. */
const SLICE_MS = 1;

type Listener<T> = (value: T) => void;

export class Screen {
  readonly #terminal: XtermTerminal;
  readonly #scrollback: Scrollback;
  readonly #modes: LeftModes;
  readonly #characters = new WholeCharacters();
  readonly #queue: Uint8Array[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly #listeners = new Set<() => void>();
  #arrival: (() => void) | null = null;
  #backlogBytes = 0;
  #parsedBytes = 0;
  #frame = 0;
  #lineFeeds = 0;
  #view: View | null = null;
  #title = "";

  constructor(size: ScreenSize) {
    this.#terminal = new xterm.Terminal({
      ...clamped(size),
      allowProposedApi: true,
      // It would report bytes it cannot parse on the console, and that is the user's terminal.
      logLevel: "off",
      scrollback: SCROLLBACK_LINES_MAX,
    });
    useModernWidths(this.#terminal);
    this.#scrollback = new Scrollback(this.#terminal);
    this.#terminal.onLineFeed(() => (this.#lineFeeds += 1));
    this.#terminal.onTitleChange((title) => (this.#title = title));
    this.#modes = new LeftModes(this.#terminal.parser);
  }

  /** Queues output. `bytes` must not be changed afterwards. The caller stops reading while `backlogBytes` is high. */
  write(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#backlogBytes += bytes.length;
    this.#arrival?.();
    if (this.#queue.push(bytes) === 1) setImmediate(this.#parseSlice);
  }

  /** Takes effect after what is queued now, as in a real terminal. */
  resize(size: ScreenSize): void {
    const { cols, rows } = clamped(size);
    this.#parse(Infinity);
    this.#terminal.resize(cols, rows);
    this.#scrollback.invalidate();
    this.#changed();
  }

  /** Bytes written and not yet parsed. */
  get backlogBytes(): number {
    return this.#backlogBytes;
  }

  /** Bytes parsed since the start. */
  get parsedBytes(): number {
    return this.#parsedBytes;
  }

  /** Bytes written since the start. */
  get writtenBytes(): number {
    return this.#parsedBytes + this.#backlogBytes;
  }

  /** Line feeds parsed since the start: what stands on the cursor's line now stood on another one when this was less. */
  get lineFeeds(): number {
    return this.#lineFeeds;
  }

  /** The picture now; the same object until something is parsed. */
  view(): View {
    this.#view ??= pictureOf(this.#terminal, {
      frame: this.#frame,
      title: this.#title,
      cursorVisible: this.#modes.cursorVisible,
      scrollback: this.#scrollback.lines(),
    });
    return this.#view;
  }

  /** Resolves when everything written so far has been parsed; at once when nothing is queued. */
  flushed(): Promise<void> {
    if (this.#backlogBytes === 0) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** What gives a terminal back in the modes of a shell that has been drawn on so far; empty when nothing is to be done. */
  undoModes(): string {
    this.#parse(Infinity);
    return this.#modes.undo();
  }

  /** Called when output is written, before it is parsed. One listener. */
  onArrival(listener: () => void): void {
    this.#arrival = listener;
  }

  /** Called after each parsed piece and each resize: "look again soon". Returns what takes the listener off. */
  onChange(listener: () => void): Cancel {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** The emulator's own answers (cursor position, device attributes …). Dropped by the caller while a real terminal answers. */
  onReply(listener: Listener<string>): void {
    // Empty is what we "type" ourselves, see `#parse`.
    this.#terminal.onData((reply) => {
      if (reply !== "") listener(reply);
    });
  }

  /** Every `ESC ] code ; data`, whole, however it was split. The emulator still handles it. */
  onOsc(code: number, listener: Listener<string>): void {
    this.#terminal.parser.registerOscHandler(code, (data) => {
      listener(data);
      return false;
    });
  }

  onBell(listener: () => void): void {
    this.#terminal.onBell(listener);
  }

  dispose(): void {
    this.#terminal.dispose();
    this.#listeners.clear();
  }

  readonly #parseSlice = (): void => {
    this.#parse(performance.now() + SLICE_MS);
    if (this.#queue.length > 0) setImmediate(this.#parseSlice);
  };

  #parse(end: number): void {
    for (let bytes = this.#queue[0]; bytes !== undefined; bytes = this.#queue[0]) {
      // After "input" the emulator parses at once. Otherwise it waits for a timer, and then goes on for 12 ms.
      this.#terminal.input("");
      this.#terminal.write(this.#characters.push(bytes));
      this.#queue.shift();
      this.#onParsed(bytes.length);
      if (performance.now() >= end) return;
    }
  }

  #onParsed(length: number): void {
    this.#backlogBytes -= length;
    this.#parsedBytes += length;
    this.#changed();
    if (this.#backlogBytes === 0) for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #changed(): void {
    this.#frame += 1;
    this.#view = null;
    for (const listener of this.#listeners) listener();
  }
}

function clamped({ cols, rows }: ScreenSize): ScreenSize {
  return { cols: clamp(cols), rows: clamp(rows) };
}

function clamp(size: number): number {
  return Math.min(SIZE_MAX, Math.max(SIZE_MIN, Math.trunc(size) || SIZE_MIN));
}
