/** The screen of a session: takes the tool's bytes and gives immutable views. It knows nothing about prompts. */
import xterm from "@xterm/headless";
import type { Terminal as XtermTerminal } from "@xterm/headless";
import type { Cancel } from "../../model/clock.js";
import type { View } from "../../sdk/view.js";
import { Feed } from "./emulator/feed.js";
import { ModeTracker } from "./mode-restore.js";
import { splitPieces, splitSteps } from "./pieces.js";
import { RowReader } from "./rows.js";
import { Scrollback, SCROLLBACK_LINES_MAX } from "./scrollback.js";
import { watchTitle } from "./titles.js";

export interface ScreenSize {
  readonly cols: number;
  readonly rows: number;
}

/** Smallest and largest sizes that the emulator accepts. Some pipes report a terminal of 0×0. */
const SIZE_MIN = 2;
const SIZE_MAX = 2000;

/** Parsing yields to keys and output after this time. */
const SLICE_MS = 0.5;
/**
 * Output counts as a flood when it exceeds 1 MB/s by this much, which no redraw by hand ever does. A flood is gathered, so that
 * what leaves no trace can be cut out of it (ADR 15). All other output is parsed in the next turn of the event loop.
 */
const FLOOD_BYTES = 64 * 1024;
const CALM_BYTES_PER_MS = 1000;
/** A flood is parsed when nothing came for this time, … */
const QUIET_MS = 4;
/** … and this time after the last picture was begun at the latest. So it is behind by no more than this, and what its parsing takes. */
const LAG_MS = 250;
/** A gathered flood is cut, or parsed if it cannot be cut, whenever it has grown to this size. */
const GATHERED_BYTES = 512 * 1024;
/** A smaller backlog is parsed before a cut could pay off. */
const CUT_BYTES_MIN = 64 * 1024;

type Listener<T> = (value: T) => void;

export class Screen {
  /** From now on every step of the drawing is reported, even a picture that is drawn over in the same piece of output. */
  isStepped = false;
  readonly #terminal: XtermTerminal;
  readonly #rows = new RowReader();
  readonly #scrollback: Scrollback;
  readonly #modes: ModeTracker;
  readonly #feed: Feed;
  readonly #waiting: (() => void)[] = [];
  readonly #listeners = new Set<() => void>();
  #arrivalListener: (() => void) | null = null;
  #slice: NodeJS.Immediate | null = null;
  #quietTimer: NodeJS.Timeout | null = null;
  /** Offset at which the picture that is parsed now will be whole; later output belongs to the next one. 0: none is parsed. */
  #wholeAt = 0;
  /** When the last picture was begun, or, with nothing left to parse, the first output behind it came. */
  #begunAt = 0;
  #writtenAt = 0;
  #excessBytes = 0;
  #isFlooded = false;
  #frame = 0;
  #view: View | null = null;
  #title = "";

  constructor(size: ScreenSize) {
    this.#terminal = new xterm.Terminal({
      ...clampSize(size),
      allowProposedApi: true,
      // It would report bytes that it cannot parse on the console, which is the user's terminal.
      logLevel: "off",
      scrollback: SCROLLBACK_LINES_MAX,
      // Most terminals also rewrap the line of the cursor.
      reflowCursorLine: true,
    });
    this.#scrollback = new Scrollback(this.#terminal);
    watchTitle(this.#terminal, (title) => (this.#title = title));
    // Created before the modes: the handlers that are registered last see the output first, and see all of it.
    this.#feed = new Feed(this.#terminal, SCROLLBACK_LINES_MAX);
    this.#feed.onRecovered(() => this.#scrollback.forget());
    this.#modes = new ModeTracker(this.#terminal.parser);
  }

  /** Queues output. `bytes` must not be changed afterwards. The caller stops reading while `backlogBytes` is high. */
  write(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    const now = performance.now();
    if (this.#feed.backlogBytes === 0) this.#begunAt = now;
    for (const piece of this.isStepped ? splitSteps(bytes) : splitPieces(bytes)) this.#feed.push(piece);
    this.#isFlooded = this.#isFlood(bytes.length, now);
    this.#arrivalListener?.();
    if (this.#isFlooded) this.#gather(now);
    else this.#parseSoon();
  }

  /** Takes effect after the output that is queued now, as in a real terminal. */
  resize(size: ScreenSize): void {
    const { cols, rows } = clampSize(size);
    this.#parseAll();
    this.#feed.resize(cols, rows);
    this.#scrollback.invalidate();
    this.#noteChange();
  }

  /** Number of bytes written and not yet parsed, without those that were found to leave no trace. */
  get backlogBytes(): number {
    return this.#feed.backlogBytes;
  }

  /** Number of bytes since the start that are in the picture, or left no trace in it. */
  get parsedBytes(): number {
    return this.#feed.parsedBytes;
  }

  get writtenBytes(): number {
    return this.#feed.writtenBytes;
  }

  /** Number of line feeds in `parsedBytes`. When it grows, the text on the cursor's line has changed its line. */
  get lineFeeds(): number {
    return this.#feed.lineFeeds;
  }

  /** Output is flooding in: the picture lags behind, and its next change is not the last. The end of the flood is reported as a change. */
  get isFlooded(): boolean {
    return this.#isFlooded;
  }

  /**
   * Whether the picture shows everything that the tool has drawn. After output that caused too much work it does not, until all
   * is drawn again (ADR 28).
   */
  get isFollowed(): boolean {
    return this.#feed.isFollowed;
  }

  /** The current picture; the same object until something is parsed. */
  view(): View {
    return (this.#view ??= this.#readView());
  }

  /** Resolves when everything written so far has been parsed; at once if the queue is empty. */
  flushed(): Promise<void> {
    if (this.#feed.backlogBytes === 0) return Promise.resolve();
    // A caller that waits for the picture wants it now, however fast the output came: a recording is played faster than any tool.
    this.#isFlooded = false;
    this.#parseSoon();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /**
   * Returns the sequence that restores a shell's modes on a terminal that shows the output so far; empty if no mode has changed.
   */
  undoModes(): string {
    this.#parseAll();
    return this.#modes.buildUndo();
  }

  /** Called when output is written, before it is parsed. One listener. */
  onArrival(listener: () => void): void {
    this.#arrivalListener = listener;
  }

  /** Calls `listener` after each parsed piece and each resize. Returns a function that removes it. */
  onChange(listener: () => void): Cancel {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * Calls `listener` with the emulator's own answers (cursor position, device attributes …). The caller drops them while a real
   * terminal answers.
   */
  onReply(listener: Listener<string>): void {
    // The empty string is what we "type" ourselves, see `#parse`.
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

  /** Reads everything at once: the emulator continues, and the view must not change. */
  #readView(): View {
    const { buffer, modes, cols, rows } = this.#terminal;
    const { cursorX: x, cursorY: y, type } = buffer.active;
    return {
      cols,
      rows,
      lines: this.#rows.read(this.#terminal),
      cursor: { x, y, visible: this.#modes.cursorVisible },
      modes: {
        alternateScreen: type === "alternate",
        bracketedPaste: modes.bracketedPasteMode,
        applicationCursorKeys: modes.applicationCursorKeysMode,
        focusReports: modes.sendFocusMode,
        synchronizedUpdate: modes.synchronizedOutputMode,
      },
      title: this.#title,
      scrollback: this.#scrollback.lines(),
      ...(!this.#feed.isFollowed && { unfollowed: true }),
      frame: this.#frame,
    };
  }

  #isFlood(bytes: number, now: number): boolean {
    const calmed = Math.max(0, this.#excessBytes - (now - this.#writtenAt) * CALM_BYTES_PER_MS);
    this.#excessBytes = Math.min(calmed + bytes, 2 * FLOOD_BYTES);
    this.#writtenAt = now;
    return this.#excessBytes >= FLOOD_BYTES;
  }

  /** The terminal comes first. The picture follows when there is time, but never later than promised. */
  #gather(now: number): void {
    if (this.#slice) return;
    if (now - this.#begunAt > LAG_MS || (this.#feed.backlogBytes >= GATHERED_BYTES && !this.#feed.cut()))
      this.#parseSoon();
    else this.#awaitQuiet();
  }

  /** The timer continues while more output comes, and waits for the rest when it fires: moving it for each piece would cost more. */
  #awaitQuiet(): void {
    this.#quietTimer ??= setTimeout(this.#onQuiet, QUIET_MS);
  }

  readonly #onQuiet = (): void => {
    const rest = this.#writtenAt + QUIET_MS - performance.now();
    this.#quietTimer = rest > 0 ? setTimeout(this.#onQuiet, rest) : null;
    if (this.#quietTimer) return;
    this.#isFlooded = false;
    if (this.#feed.backlogBytes > 0) this.#parseSoon();
    else this.#notify();
  };

  #parseSoon(): void {
    this.#slice ??= setImmediate(this.#parseSlice);
  }

  #stopWaiting(): void {
    if (this.#slice) clearImmediate(this.#slice);
    if (this.#quietTimer) clearTimeout(this.#quietTimer);
    this.#slice = this.#quietTimer = null;
  }

  readonly #parseSlice = (): void => this.#parseUntil(performance.now() + SLICE_MS);

  #parseAll(): void {
    this.#parseUntil(Infinity);
  }

  #parseUntil(end: number): void {
    this.#stopWaiting();
    do {
      if (!this.#parsePicture(end)) break;
      const rest = this.#feed.backlogBytes;
      // In a flood the next picture is not due yet; but a small rest is parsed before more comes.
      const isDue = !this.#isFlooded || this.#waiting.length > 0 || rest < CUT_BYTES_MIN;
      if (rest === 0 || !isDue) {
        if (this.#isFlooded) this.#awaitQuiet();
        return;
      }
    } while (performance.now() < end);
    this.#parseSoon();
  }

  /** Returns whether the picture is whole: everything is in it that was there when it was begun. */
  #parsePicture(end: number): boolean {
    if (this.#wholeAt === 0) {
      if (this.#feed.backlogBytes >= CUT_BYTES_MIN) this.#feed.cut();
      this.#wholeAt = this.#feed.writtenBytes;
      this.#begunAt = performance.now();
    }
    while (this.#feed.parsedBytes < this.#wholeAt && this.#feed.parse()) {
      this.#onParsed();
      if (this.#feed.parsedBytes < this.#wholeAt && performance.now() >= end) return false;
    }
    this.#wholeAt = 0;
    return true;
  }

  #onParsed(): void {
    this.#noteChange();
    if (this.#feed.backlogBytes === 0) for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #noteChange(): void {
    this.#frame += 1;
    this.#view = null;
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

function clampSize({ cols, rows }: ScreenSize): ScreenSize {
  return { cols: clamp(cols), rows: clamp(rows) };
}

function clamp(size: number): number {
  return Math.min(SIZE_MAX, Math.max(SIZE_MIN, Math.trunc(size) || SIZE_MIN));
}
