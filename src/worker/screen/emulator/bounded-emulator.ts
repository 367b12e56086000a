/**
 * Stands before the emulator's handlers: parameters are cut down to what the screen's size makes sense of, work beyond the budget is
 * left out, and what is left out is known as such (ADR 28). Modes, colours and margins are followed at all times: they cost nothing.
 */
import type { IFunctionIdentifier, Terminal } from "@xterm/headless";
import { clampParameter, innerEmulator, type InnerEmulator, type LiveParams } from "./inner-emulator.js";
import type { Margins } from "./margins.js";
import { Sight, type ScreenKind } from "./sight.js";
import { JOINED_MARKS_MAX } from "../widths.js";
import {
  CELL_NS,
  CHARACTER_NS,
  FED_CELL_NS,
  LINE_NS,
  SCREEN_NS,
  SEQUENCE_NS,
  TAB_STOP_NS,
  WorkBudget,
} from "./work-budget.js";

const [LF, VT, FF, HT, IND, NEL] = ["\n", "\v", "\f", "\t", "\u0084", "\u0085"];
const [MODE_ORIGIN, MODE_SAVE_CURSOR, MODE_ALTERNATE_CURSOR] = [6, 1048, 1049];
const ALTERNATE_MODES = [47, 1047, MODE_ALTERNATE_CURSOR];
/** ED: what is erased. */
const [BELOW, ABOVE, ALL] = [0, 1, 2];

export class BoundedEmulator {
  readonly #terminal: Terminal;
  readonly #inner: InnerEmulator;
  readonly #budget: WorkBudget;
  readonly #sight = new Sight(() => this.#shown);
  readonly #margins: Margins;
  /** The screen that was switched to while the budget was spent. */
  #due: ScreenKind | null = null;
  /** That switch is made now: what was drawn there since is not known. */
  #catchesUp = false;

  /** `now`: monotonic ms. */
  constructor(terminal: Terminal, margins: Margins, now: () => number) {
    this.#terminal = terminal;
    this.#margins = margins;
    this.#inner = innerEmulator(terminal);
    this.#budget = new WorkBudget(now);
    this.resized();
    this.#watchText();
    this.#watchControls();
    this.#watchLines();
    this.#watchCells();
    this.#watchCursor();
    this.#watchScreens();
  }

  /** Whether the picture of the screen that is shown is all that the tool's output makes. */
  get isFollowed(): boolean {
    return this.#due === null && this.#sight.isClear;
  }

  /** Called when a screen can be followed again: what stands above it was not. One listener. */
  onRegained(listener: () => void): void {
    this.#sight.onRegained(listener);
  }

  resized(): void {
    this.#budget.resized(SCREEN_NS + this.#areaNs);
  }

  /** So many bytes are parsed next. Returns what must be parsed before them. */
  prepare(bytes: number): string {
    this.#budget.refill(bytes);
    const due = this.#due;
    if (due === null || !this.#budget.spend(SCREEN_NS + this.#areaNs)) return "";
    this.#due = null;
    this.#catchesUp = due !== this.#shown;
    return due === this.#shown ? "" : `\u001b[?1047${due === "alternate" ? "h" : "l"}`;
  }

  /** Something is drawn that differs from terminal to terminal. */
  lose(): void {
    this.#sight.lose();
  }

  get #shown(): ScreenKind {
    return this.#inner.showsAlternate() ? "alternate" : "normal";
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
    return SEQUENCE_NS + this.#terminal.cols * FED_CELL_NS;
  }

  /** True: it may be done. */
  #may(ns: number): boolean {
    const may = this.#budget.spend(ns);
    if (!may) this.lose();
    return may;
  }

  #watchText(): void {
    const { parser, inserts } = this.#inner;
    const print = parser._printHandler;
    parser.setPrintHandler((codePoints, start, end) => {
      const length = end - start;
      const feeds = (length / this.#terminal.cols) * this.#fedNs;
      if (!this.#may(inserts() ? length * this.#rowNs : length * CHARACTER_NS + feeds)) return;
      this.#sight.drew();
      print(codePoints, start, end);
    });
    // Terminals differ in what they make of more characters than they show.
    this.#csi({ final: "b" }, (params) => {
      const { rows, cols } = this.#terminal;
      const count = clampParameter(params, rows * cols + 1);
      if (count > rows * cols) this.lose();
      else if (this.#may(count * (JOINED_MARKS_MAX + 1) * CHARACTER_NS)) {
        this.#sight.drew();
        return true;
      }
      return false;
    });
  }

  #watchControls(): void {
    const { parser } = this.#inner;
    const on = (control: string, look: () => boolean): void => {
      const handler = parser._executeHandlers[control.charCodeAt(0)];
      if (handler) parser.setExecuteHandler(control, () => !look() || handler());
    };
    const feed = (): boolean => this.#may(this.#fedNs) && this.#fedLine();
    for (const control of [LF, VT, FF, IND, NEL]) on(control, feed);
    for (const final of ["D", "E"]) this.#escape(final, feed);
    on(HT, () => this.#may(SEQUENCE_NS + this.#terminal.cols * TAB_STOP_NS));
    this.#escape("M", () => this.#may(LINE_NS + this.#rowNs) && this.#drewAndMoved());
  }

  #watchLines(): void {
    const ns = (count: number): number => count * (LINE_NS + this.#rowNs);
    for (const final of ["L", "M", "S", "T"]) this.#bounded({ final }, () => this.#terminal.rows, ns);
  }

  #watchCells(): void {
    const row = (): number => this.#rowNs;
    const cols = (): number => this.#terminal.cols;
    for (const final of ["@", "P", "X", "K"]) this.#bounded({ final }, cols, row);
    this.#bounded({ prefix: "?", final: "K" }, cols, row);
    const area = (): number => this.#areaNs;
    for (const final of ["@", "A"]) this.#bounded({ intermediates: " ", final }, cols, area);
    for (const final of ["}", "~"]) this.#bounded({ intermediates: "'", final }, cols, area);
    this.#csi({ prefix: "?", final: "J" }, ({ params }) => {
      if (params[0] === ABOVE && this.#isAtEnd) params[0] = ALL;
      return this.#may(this.#areaNs) && this.#drewAndMoved();
    });
    this.#csi({ final: "J" }, ({ params }) => {
      if (!this.#may(this.#areaNs)) return false;
      const { cursorX, cursorY } = this.#terminal.buffer.active;
      // Everything up to the last cell: the emulator looks for a row below it then, and breaks.
      if (params[0] === ABOVE && this.#isAtEnd) params[0] = ALL;
      if (params[0] === ALL) this.#sight.erased();
      else if (params[0] === BELOW) this.#sight.erasedBelow(cursorX === 0 && cursorY === 0);
      return true;
    });
    this.#inner.parser.registerEscHandler({ intermediates: "#", final: "8" }, () => !this.#may(this.#areaNs));
  }

  #watchCursor(): void {
    const tabs = (): number => SEQUENCE_NS + 2 * this.#terminal.cols * TAB_STOP_NS;
    for (const final of ["I", "Z"]) this.#bounded({ final }, () => this.#terminal.cols, tabs);
    for (const final of ["H", "f"]) this.#placing({ final });
    for (const final of "ABCDEFGader`") this.#csi({ final }, () => this.#moved());
    this.#csi({ final: "m" }, ({ params, length }) => {
      if (length <= 1 && !params[0]) this.#sight.resetPen();
      return true;
    });
    const save = (): boolean => {
      this.#sight.savedCursor();
      return true;
    };
    const restore = (): boolean => {
      this.#sight.restoredCursor();
      return true;
    };
    this.#escape("7", save);
    this.#escape("8", restore);
    this.#csi({ final: "s" }, save);
    this.#csi({ final: "u" }, restore);
    // A stop that is set or taken where the cursor only seems to be stays wrong.
    const stop = (): boolean => {
      if (!this.isFollowed) this.#sight.loseUntilReset();
      return true;
    };
    this.#escape("H", stop);
    this.#csi({ final: "g" }, stop);
  }

  #watchScreens(): void {
    this.#csi({ prefix: "?", final: "h" }, (params) => this.#switches(params, "alternate"));
    this.#csi({ prefix: "?", final: "l" }, (params) => this.#switches(params, "normal"));
    this.#escape("c", () => {
      if (!this.#budget.spend(SCREEN_NS + 2 * this.#areaNs)) {
        this.#sight.loseUntilReset();
        return false;
      }
      this.#due = null;
      this.#sight.reset();
      return true;
    });
  }

  #switches({ params, length }: LiveParams, to: ScreenKind): true {
    for (let at = 0; at < length; at++) {
      const mode = params[at] ?? 0;
      if (mode === MODE_ORIGIN) this.#sight.placed();
      if (mode === MODE_SAVE_CURSOR) this.#savesCursor(to);
      if (!ALTERNATE_MODES.includes(mode)) continue;
      if (this.#mayShow(to)) this.#shows(to, mode === MODE_ALTERNATE_CURSOR);
      else {
        params[at] = 0;
        if (mode === MODE_ALTERNATE_CURSOR && to === "normal") this.#sight.losePen();
      }
    }
    return true;
  }

  #mayShow(to: ScreenKind): boolean {
    if (this.#catchesUp) return true;
    const from = this.#due ?? this.#shown;
    if (from === to && this.#due === null) return true;
    if (this.#due === null && this.#budget.spend(SCREEN_NS + this.#areaNs)) return true;
    this.#due = to;
    this.#sight.loseBoth();
    return false;
  }

  #shows(to: ScreenKind, withCursor: boolean): void {
    if (this.#catchesUp) {
      this.#catchesUp = false;
      this.#sight.loseBoth();
      return;
    }
    const from = this.#shown;
    if (withCursor && to === "alternate") this.#savesCursor(to);
    if (to === "alternate" && from === "normal") this.#sight.enteredAlternate();
    if (to === "normal" && from === "alternate") this.#sight.leftAlternate();
    if (withCursor && to === "normal") this.#sight.restoredCursorOf("normal");
  }

  #savesCursor(to: ScreenKind): void {
    if (to === "alternate") this.#sight.savedCursor();
    else this.#sight.restoredCursor();
  }

  #fedLine(): true {
    if (this.#margins.mayBeSet) this.#sight.moved();
    this.#sight.fedLine(this.#terminal.rows);
    return true;
  }

  #moved(): true {
    this.#sight.moved();
    return true;
  }

  #drewAndMoved(): true {
    this.#sight.drew();
    return this.#moved();
  }

  #placing(id: IFunctionIdentifier): void {
    this.#csi(id, () => {
      this.#sight.moved();
      this.#sight.placed();
      return true;
    });
  }

  /** Done at most `max` times; more make no difference. `ns`: what it takes, so many times. */
  #bounded(id: IFunctionIdentifier, max: () => number, ns: (count: number) => number): void {
    this.#csi(id, (params) => this.#may(ns(clampParameter(params, max()))) && this.#drewAndMoved());
  }

  /** `look`: whether the emulator may go on with it. */
  #csi(id: IFunctionIdentifier, look: (params: LiveParams) => boolean): void {
    this.#inner.parser.registerCsiHandler(id, (params) => !look(params));
  }

  #escape(final: string, look: () => boolean): void {
    this.#inner.parser.registerEscHandler({ final }, () => !look());
  }
}
