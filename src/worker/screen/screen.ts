/** The screen of record: the tool's bytes in, immutable views out. Knows nothing of prompts. */
import xterm from "@xterm/headless";
import type { Terminal as XtermTerminal } from "@xterm/headless";
import type { Cancel } from "../../model/clock.js";
import type { View } from "../../sdk/view.js";
import { Feed } from "./emulator/feed.js";
import { LeftModes } from "./mode-restore.js";
import { pictureOf } from "./picture.js";
import { Rows } from "./rows.js";
import { Scrollback, SCROLLBACK_LINES_MAX } from "./scrollback.js";
import { watchTitle } from "./titles.js";

export interface ScreenSize {
  readonly cols: number;
  readonly rows: number;
}

/** Smallest and largest sizes the emulator takes; a terminal of 0×0 is reported by some pipes. */
const SIZE_MIN = 2;
const SIZE_MAX = 2000;

/** Parsing makes way for keys and output after this long. */
const SLICE_MS = 0.5;
/**
 * A flood is so much more than 1 MB/s, which no redraw by hand ever is. It is gathered, so that what leaves no trace can be cut out
 * of it (ADR 15); all else is parsed in the next turn.
 */
const FLOOD_BYTES = 64 * 1024;
const CALM_BYTES_PER_MS = 1000;
/** A flood is parsed when nothing came for so long, … */
const QUIET_MS = 4;
/** … and at the latest after so long: the picture is never further behind. */
const LAG_MS = 100;
/** A gathered flood is cut, or parsed if it cannot be, whenever it has grown to this. */
const GATHERED_BYTES = 128 * 1024;
/** Less is parsed before a cut could pay. */
const CUT_BYTES_MIN = 64 * 1024;

type Listener<T> = (value: T) => void;

export class Screen {
  /** Tells of every step of what is drawn from now on: of a picture, too, that is drawn over in the same piece of output. */
  isStepped = false;
  readonly #terminal: XtermTerminal;
  readonly #rows = new Rows();
  readonly #scrollback: Scrollback;
  readonly #modes: LeftModes;
  readonly #feed: Feed;
  readonly #waiting: (() => void)[] = [];
  readonly #listeners = new Set<() => void>();
  #arrival: (() => void) | null = null;
  #slice: NodeJS.Immediate | null = null;
  #quiet: NodeJS.Timeout | null = null;
  /** The last time at which everything was parsed. */
  #parsedAt = 0;
  #writtenAt = 0;
  #excessBytes = 0;
  #isFlooded = false;
  #frame = 0;
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
    this.#scrollback = new Scrollback(this.#terminal);
    watchTitle(this.#terminal, (title) => (this.#title = title));
    // Before the modes: what is registered last sees the output first, and sees all of it.
    this.#feed = new Feed(this.#terminal, SCROLLBACK_LINES_MAX);
    this.#feed.onRegained(() => this.#scrollback.forget());
    this.#modes = new LeftModes(this.#terminal.parser);
  }

  /** Queues output. `bytes` must not be changed afterwards. The caller stops reading while `backlogBytes` is high. */
  write(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    const now = performance.now();
    if (this.#feed.backlogBytes === 0) this.#parsedAt = now;
    for (const piece of this.isStepped ? stepsOf(bytes) : [bytes]) this.#feed.push(piece);
    this.#isFlooded = this.#exceeds(bytes.length, now);
    this.#arrival?.();
    if (this.#isFlooded) this.#gather(now);
    else this.#parseSoon();
  }

  /** Takes effect after what is queued now, as in a real terminal. */
  resize(size: ScreenSize): void {
    const { cols, rows } = clamped(size);
    this.#parseAll();
    this.#feed.resize(cols, rows);
    this.#scrollback.invalidate();
    this.#changed();
  }

  /** Bytes written and not yet parsed; without those that were found to leave no trace. */
  get backlogBytes(): number {
    return this.#feed.backlogBytes;
  }

  /** Bytes since the start that are in the picture, or left no trace in it. */
  get parsedBytes(): number {
    return this.#feed.parsedBytes;
  }

  /** Bytes written since the start. */
  get writtenBytes(): number {
    return this.#feed.writtenBytes;
  }

  /** Line feeds in `parsedBytes`: what stands on the cursor's line now stood on another one when this was less. */
  get lineFeeds(): number {
    return this.#feed.lineFeeds;
  }

  /** Output is flooding in: the picture lags, and its next change is not the last. Its end is told as a change. */
  get isFlooded(): boolean {
    return this.#isFlooded;
  }

  /** Whether the picture is what the tool has drawn. It is not after output that asked for too much work, until all is drawn anew (ADR 28). */
  get isFollowed(): boolean {
    return this.#feed.isFollowed;
  }

  /** The picture now; the same object until something is parsed. */
  view(): View {
    this.#view ??= pictureOf(this.#terminal, this.#rows, {
      frame: this.#frame,
      title: this.#title,
      cursorVisible: this.#modes.cursorVisible,
      scrollback: this.#scrollback.lines(),
      isFollowed: this.#feed.isFollowed,
    });
    return this.#view;
  }

  /** Resolves when everything written so far has been parsed; at once when nothing is queued. */
  flushed(): Promise<void> {
    if (this.#feed.backlogBytes === 0) return Promise.resolve();
    // Whoever waits for the picture wants it looked at, however fast it came: a recording comes faster than any tool.
    this.#isFlooded = false;
    this.#parseSoon();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** What gives a terminal back in the modes of a shell that has been drawn on so far; empty when nothing is to be done. */
  undoModes(): string {
    this.#parseAll();
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

  onBell(listener: () => void): void {
    this.#terminal.onBell(listener);
  }

  dispose(): void {
    this.#stopWaiting();
    this.#terminal.dispose();
    this.#listeners.clear();
  }

  /** Whether output comes faster than anybody reads. */
  #exceeds(bytes: number, now: number): boolean {
    const calmed = Math.max(0, this.#excessBytes - (now - this.#writtenAt) * CALM_BYTES_PER_MS);
    this.#excessBytes = Math.min(calmed + bytes, 2 * FLOOD_BYTES);
    this.#writtenAt = now;
    return this.#excessBytes >= FLOOD_BYTES;
  }

  /** The terminal comes first, the picture when there is time; but never later than promised. */
  #gather(now: number): void {
    if (this.#slice) return;
    if (now - this.#parsedAt > LAG_MS || (this.#feed.backlogBytes >= GATHERED_BYTES && !this.#feed.cut()))
      this.#parseSoon();
    else this.#awaitQuiet();
  }

  /** The timer runs on while more comes, and waits for the rest when it fires: moving it for each piece costs more than that. */
  #awaitQuiet(): void {
    this.#quiet ??= setTimeout(this.#onQuiet, QUIET_MS);
  }

  readonly #onQuiet = (): void => {
    const rest = this.#writtenAt + QUIET_MS - performance.now();
    this.#quiet = rest > 0 ? setTimeout(this.#onQuiet, rest) : null;
    if (this.#quiet) return;
    this.#isFlooded = false;
    if (this.#feed.backlogBytes > 0) this.#parseSoon();
    else this.#tell();
  };

  #parseSoon(): void {
    this.#slice ??= setImmediate(this.#parseSlice);
  }

  #stopWaiting(): void {
    if (this.#slice) clearImmediate(this.#slice);
    if (this.#quiet) clearTimeout(this.#quiet);
    this.#slice = this.#quiet = null;
  }

  readonly #parseSlice = (): void => this.#parseUntil(performance.now() + SLICE_MS);

  #parseAll(): void {
    this.#parseUntil(Infinity);
  }

  #parseUntil(end: number): void {
    this.#stopWaiting();
    this.#parse(end);
    if (this.#feed.backlogBytes > 0) this.#parseSoon();
    else if (this.#isFlooded) this.#awaitQuiet();
  }

  #parse(end: number): void {
    if (this.#feed.backlogBytes >= CUT_BYTES_MIN) this.#feed.cut();
    while (this.#feed.parse()) {
      this.#onParsed();
      if (performance.now() >= end) return;
    }
  }

  #onParsed(): void {
    this.#changed();
    if (this.#feed.backlogBytes === 0) for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #changed(): void {
    this.#frame += 1;
    this.#view = null;
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

function clamped({ cols, rows }: ScreenSize): ScreenSize {
  return { cols: clamp(cols), rows: clamp(rows) };
}

function clamp(size: number): number {
  return Math.min(SIZE_MAX, Math.max(SIZE_MIN, Math.trunc(size) || SIZE_MIN));
}

const ESC = 0x1b;
/** A picture takes a few hundred bytes; looking at smaller steps of a flood would cost more than it tells. */
const STEPS_MAX = 64;

/** Cut before each sequence: nothing can be drawn over without one. */
function stepsOf(bytes: Uint8Array): Uint8Array[] {
  const steps: Uint8Array[] = [];
  let from = 0;
  for (let at = bytes.indexOf(ESC, 1); at > 0 && steps.length < STEPS_MAX; at = bytes.indexOf(ESC, at + 1)) {
    steps.push(bytes.subarray(from, at));
    from = at;
  }
  return [...steps, bytes.subarray(from)];
}
