/**
 * Tracks the terminal modes that a tool has switched, and builds the sequence that restores the terminal when the tool can no
 * longer do that.
 */
/** Private modes that are off in a shell: application arrows, mouse, focus, alternate screen, paste marks, synchronized drawing. */
const OFF_AT_REST = [1, 9, 1000, 1002, 1003, 1004, 1005, 1006, 1015, 1016, 47, 1047, 1049, 2004, 2026];
const CURSOR = 25;
/** `CSI > 4 ; n m`: how keys with modifiers are encoded. */
const MODIFIED_KEYS = 4;

type Params = (number | number[])[];

interface SequenceId {
  readonly prefix?: string;
  readonly intermediates?: string;
  readonly final: string;
}

/** What reads the output: the emulator, or a scan. A handler returns false, so that others see the sequence too. */
export interface SequenceParser {
  registerCsiHandler(id: SequenceId, handler: (params: Params) => boolean): unknown;
  registerEscHandler(id: SequenceId, handler: () => boolean): unknown;
}

export class ModeTracker {
  readonly #on = new Map<number, boolean>();
  /** Keyboard protocols that were pushed and not popped. */
  #keyboards = 0;
  #keyboardFlags = 0;
  #modifiedKeys = 0;
  #keypad = false;

  constructor(parser: SequenceParser) {
    const see = (id: SequenceId, look: (params: number[]) => void): void => {
      parser.registerCsiHandler(id, (params) => {
        look(flattenParams(params));
        return false;
      });
    };
    see({ prefix: "?", final: "h" }, (modes) => this.#switch(modes, true));
    see({ prefix: "?", final: "l" }, (modes) => this.#switch(modes, false));
    see({ prefix: ">", final: "u" }, () => (this.#keyboards += 1));
    see({ prefix: "<", final: "u" }, ([count]) => {
      this.#keyboards = Math.max(0, this.#keyboards - (count || 1));
    });
    see({ prefix: "=", final: "u" }, ([flags = 0]) => (this.#keyboardFlags = flags));
    see({ prefix: ">", final: "m" }, ([which, value = 0]) => {
      if (which === MODIFIED_KEYS) this.#modifiedKeys = value;
    });
    see({ intermediates: "!", final: "p" }, () => this.#reset());
    const seeEscape = (final: string, look: () => void): void => {
      parser.registerEscHandler({ final }, () => {
        look();
        return false;
      });
    };
    seeEscape("c", () => this.#reset());
    seeEscape("=", () => (this.#keypad = true));
    seeEscape(">", () => (this.#keypad = false));
  }

  get cursorVisible(): boolean {
    return this.#on.get(CURSOR) ?? true;
  }

  /** Builds the sequence that restores the modes that are still switched; empty when there are none. */
  buildUndo(): string {
    const off = OFF_AT_REST.filter((mode) => this.#on.get(mode)).map((mode) => `\x1b[?${mode}l`);
    const keys = [
      ...(this.#keyboardFlags ? ["\x1b[=0u"] : []),
      ...(this.#keyboards ? [`\x1b[<${this.#keyboards}u`] : []),
      ...(this.#modifiedKeys ? [`\x1b[>${MODIFIED_KEYS}m`] : []),
      ...(this.#keypad ? ["\x1b>"] : []),
    ];
    // Keyboards come first, because each screen has its own.
    const all = [...keys, ...off, ...(this.cursorVisible ? [] : [`\x1b[?${CURSOR}h`])];
    return all.length === 0 ? "" : `${all.join("")}\x1b[m`;
  }

  /** Keeps only the modes that are restored, because a tool may name any number of modes. */
  #switch(modes: readonly number[], on: boolean): void {
    for (const mode of modes) if (mode === CURSOR || OFF_AT_REST.includes(mode)) this.#on.set(mode, on);
  }

  #reset(): void {
    this.#on.clear();
    this.#keyboards = this.#keyboardFlags = this.#modifiedKeys = 0;
    this.#keypad = false;
  }
}

function flattenParams(params: Params): number[] {
  return params.map((param) => (typeof param === "number" ? param : (param[0] ?? 0)));
}
