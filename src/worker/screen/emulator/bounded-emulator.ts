/**
 * Runs before the emulator's handlers. It limits parameters to what makes sense for the screen's size, skips work beyond the
 * budget, and remembers that (ADR 28). Modes, colours and margins are always followed, because they cost nothing.
 */
import type { IFunctionIdentifier, Terminal } from "@xterm/headless";
import { clampParameter, getInnerEmulator, type InnerEmulator, type LiveParams } from "./inner-emulator.js";
import { ScreenAccuracy, type ScreenKind } from "./screen-accuracy.js";
import { JOINED_MARKS_MAX } from "../widths.js";
import {
  CELL_NS,
  CHARACTER_NS,
  SCROLLED_CELL_NS,
  LINE_NS,
  SCREEN_NS,
  SEQUENCE_NS,
  TAB_STOP_NS,
  WorkBudget,
} from "./work-budget.js";

const [LF, VT, FF, HT, IND, NEL] = ["\n", "\v", "\f", "\t", "\u0084", "\u0085"];
const [MODE_ORIGIN, MODE_SAVE_CURSOR, MODE_ALTERNATE_CURSOR] = [6, 1048, 1049];
const ALTERNATE_MODES = [47, 1047, MODE_ALTERNATE_CURSOR];
/** Parameters of ED: the part that is erased. Rows above the screen are dropped and not blanked. */
const [BELOW, ABOVE, ALL, SCROLLBACK] = [0, 1, 2, 3];

export class BoundedEmulator {
  readonly #terminal: Terminal;
  readonly #inner: InnerEmulator;
  readonly #budget: WorkBudget;
  readonly #accuracy = new ScreenAccuracy(() => this.#shown);
  /** The screen that the tool switched to while the budget was spent. */
  #dueScreen: ScreenKind | null = null;
  /** That switch is made now; the content of the screen in between is unknown. */
  #isCatchingUp = false;

  constructor(terminal: Terminal, now: () => number) {
    this.#terminal = terminal;
    this.#inner = getInnerEmulator(terminal);
    this.#budget = new WorkBudget(now);
    this.updateSize();
    this.#watchText();
    this.#watchControls();
    this.#watchLines();
    this.#watchCells();
    this.#watchCursor();
    this.#watchScreens();
  }

  get isFollowed(): boolean {
    return this.#dueScreen === null && this.#accuracy.isAccurate;
  }

  onRecovered(listener: () => void): void {
    this.#accuracy.onRecovered(listener);
  }

  updateSize(): void {
    this.#budget.updateSize(SCREEN_NS + this.#areaNs);
  }

  /** Call before this many bytes are parsed. Returns what must be parsed before them. */
  prepare(bytes: number): string {
    this.#budget.refill(bytes);
    const due = this.#dueScreen;
    if (due === null || !this.#budget.spend(SCREEN_NS + this.#areaNs)) return "";
    this.#dueScreen = null;
    this.#isCatchingUp = due !== this.#shown;
    return due === this.#shown ? "" : `\u001b[?1047${due === "alternate" ? "h" : "l"}`;
  }

  markLost(): void {
    this.#accuracy.markLost();
  }

  get #shown(): ScreenKind {
    return this.#inner.isAlternateShown() ? "alternate" : "normal";
  }

  get #isAtEnd(): boolean {
    const { rows, cols, buffer } = this.#terminal;
    return buffer.active.cursorX >= cols - 1 && buffer.active.cursorY >= rows - 1;
  }

  get #areaNs(): number {
    return this.#terminal.rows * this.#terminal.cols * CELL_NS;
  }

  get #rowNs(): number {
    return SEQUENCE_NS + this.#terminal.cols * CELL_NS;
  }

  get #fedNs(): number {
    return SEQUENCE_NS + this.#terminal.cols * SCROLLED_CELL_NS;
  }

  #allow(ns: number): boolean {
    const may = this.#budget.spend(ns);
    if (!may) this.markLost();
    return may;
  }

  #watchText(): void {
    const { parser, isInserting } = this.#inner;
    const print = parser._printHandler;
    parser.setPrintHandler((codePoints, start, end) => {
      const length = end - start;
      const feeds = (length / this.#terminal.cols) * this.#fedNs;
      if (!this.#allow(isInserting() ? length * this.#rowNs : length * CHARACTER_NS + feeds)) return;
      this.#accuracy.noteDraw();
      print(codePoints, start, end);
    });
    // Terminals differ in how they handle more characters than they show.
    this.#watchCsi({ final: "b" }, (params) => {
      const { rows, cols } = this.#terminal;
      const count = clampParameter(params, rows * cols + 1);
      if (count > rows * cols) this.markLost();
      else if (this.#allow(count * (JOINED_MARKS_MAX + 1) * CHARACTER_NS)) {
        this.#accuracy.noteDraw();
        return true;
      }
      return false;
    });
  }

  #watchControls(): void {
    const { parser } = this.#inner;
    const on = (control: string, look: () => unknown): void => {
      const handler = parser._executeHandlers[control.charCodeAt(0)];
      if (handler) parser.setExecuteHandler(control, () => look() === false || handler());
    };
    const feed = (): unknown => this.#allow(this.#fedNs) && this.#noteLineFeed();
    for (const control of [LF, VT, FF, IND, NEL]) on(control, feed);
    for (const final of ["D", "E"]) this.#watchEscape(final, feed);
    on(HT, () => this.#allow(SEQUENCE_NS + this.#terminal.cols * TAB_STOP_NS));
    this.#watchEscape("M", () => this.#allow(LINE_NS + this.#rowNs) && this.#noteChange());
  }

  #watchLines(): void {
    const ns = (count: number): number => count * (LINE_NS + this.#rowNs);
    for (const final of ["L", "M", "S", "T"]) this.#limitCount({ final }, () => this.#terminal.rows, ns);
  }

  #watchCells(): void {
    const row = (): number => this.#rowNs;
    const cols = (): number => this.#terminal.cols;
    for (const final of ["@", "P", "X", "K"]) this.#limitCount({ final }, cols, row);
    this.#limitCount({ prefix: "?", final: "K" }, cols, row);
    const area = (): number => this.#areaNs;
    for (const final of ["@", "A"]) this.#limitCount({ intermediates: " ", final }, cols, area);
    for (const final of ["}", "~"]) this.#limitCount({ intermediates: "'", final }, cols, area);
    this.#watchCsi({ prefix: "?", final: "J" }, ({ params }) => {
      if (params[0] === ABOVE && this.#isAtEnd) params[0] = ALL;
      return this.#allow(this.#areaNs) && this.#noteChange();
    });
    this.#watchCsi({ final: "J" }, ({ params }) => {
      if (!this.#allow(params[0] === SCROLLBACK ? SEQUENCE_NS : this.#areaNs)) return false;
      const { cursorX, cursorY } = this.#terminal.buffer.active;
      // Erasing up to the last cell makes the emulator look for a row below it, and break.
      if (params[0] === ABOVE && this.#isAtEnd) params[0] = ALL;
      if (params[0] === ALL) this.#accuracy.noteErase();
      else if (params[0] === BELOW) this.#accuracy.noteEraseBelow(cursorX === 0 && cursorY === 0);
      return true;
    });
    this.#inner.parser.registerEscHandler({ intermediates: "#", final: "8" }, () => !this.#allow(area()));
  }

  #watchCursor(): void {
    const tabs = (): number => SEQUENCE_NS + 2 * this.#terminal.cols * TAB_STOP_NS;
    for (const final of ["I", "Z"]) this.#limitCount({ final }, () => this.#terminal.cols, tabs);
    for (const final of "ABCDEFGader`") this.#watchCsi({ final }, () => this.#accuracy.noteMove());
    for (const final of "Hf")
      this.#watchCsi({ final }, () => {
        this.#accuracy.noteMove();
        this.#accuracy.notePlacement();
      });
    this.#watchCsi({ final: "m" }, ({ params, length }) => {
      if (length <= 1 && !params[0]) this.#accuracy.resetPen();
    });
    const save = (): void => this.#accuracy.noteCursorSave();
    const restore = (): void => this.#accuracy.noteCursorRestore();
    this.#watchEscape("7", save);
    this.#watchEscape("8", restore);
    this.#watchCsi({ final: "s" }, save);
    this.#watchCsi({ final: "u" }, restore);
    // A tab stop that is set or cleared at a wrong cursor position stays wrong.
    const stop = (): void => {
      if (!this.isFollowed) this.#accuracy.markLostUntilReset();
    };
    this.#watchEscape("H", stop);
    this.#watchCsi({ final: "g" }, stop);
  }

  #watchScreens(): void {
    this.#watchCsi({ prefix: "?", final: "h" }, (params) => this.#switchModes(params, "alternate"));
    this.#watchCsi({ prefix: "?", final: "l" }, (params) => this.#switchModes(params, "normal"));
    this.#watchEscape("c", () => {
      if (!this.#budget.spend(SCREEN_NS + 2 * this.#areaNs)) {
        this.#accuracy.markLostUntilReset();
        return false;
      }
      this.#dueScreen = null;
      this.#accuracy.reset();
      return true;
    });
  }

  #switchModes({ params, length }: LiveParams, to: ScreenKind): void {
    for (let at = 0; at < length; at++) {
      const mode = params[at] ?? 0;
      if (mode === MODE_ORIGIN) this.#accuracy.notePlacement();
      if (mode === MODE_SAVE_CURSOR) this.#noteCursorMode(to);
      if (!ALTERNATE_MODES.includes(mode)) continue;
      if (this.#allowScreen(to)) this.#noteScreen(to, mode === MODE_ALTERNATE_CURSOR);
      else {
        params[at] = 0;
        if (mode === MODE_ALTERNATE_CURSOR && to === "normal") this.#accuracy.markPenLost();
      }
    }
  }

  #allowScreen(to: ScreenKind): boolean {
    if (this.#isCatchingUp) return true;
    const from = this.#dueScreen ?? this.#shown;
    if (from === to && this.#dueScreen === null) return true;
    if (this.#dueScreen === null && this.#budget.spend(SCREEN_NS + this.#areaNs)) return true;
    this.#dueScreen = to;
    this.#accuracy.markBothLost();
    return false;
  }

  #noteScreen(to: ScreenKind, withCursor: boolean): void {
    if (this.#isCatchingUp) {
      this.#isCatchingUp = false;
      this.#accuracy.markBothLost();
      return;
    }
    const from = this.#shown;
    if (withCursor && to === "alternate") this.#noteCursorMode(to);
    if (to === "alternate" && from === "normal") this.#accuracy.noteEnterAlternate();
    if (to === "normal" && from === "alternate") this.#accuracy.noteLeaveAlternate();
    if (withCursor && to === "normal") this.#accuracy.noteCursorRestoreOn("normal");
  }

  #noteCursorMode(to: ScreenKind): void {
    if (to === "alternate") this.#accuracy.noteCursorSave();
    else this.#accuracy.noteCursorRestore();
  }

  #noteLineFeed(): void {
    if (this.#inner.hasMargins()) this.#accuracy.noteMove();
    this.#accuracy.noteLineFeed(this.#terminal.rows);
  }

  #noteChange(): true {
    this.#accuracy.noteDraw();
    this.#accuracy.noteMove();
    return true;
  }

  /** Limits the count to `max`, as more makes no difference. `ns`: the work for a count. */
  #limitCount(id: IFunctionIdentifier, max: () => number, ns: (count: number) => number): void {
    this.#watchCsi(id, (params) => this.#allow(ns(clampParameter(params, max()))) && this.#noteChange());
  }

  /** `look` returns false where the emulator may not handle the sequence. */
  #watchCsi(id: IFunctionIdentifier, look: (params: LiveParams) => unknown): void {
    this.#inner.parser.registerCsiHandler(id, (params) => look(params) === false);
  }

  #watchEscape(final: string, look: () => unknown): void {
    this.#inner.parser.registerEscHandler({ final }, () => look() === false);
  }
}
