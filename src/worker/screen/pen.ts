/** What was done lately to the colours and styles that text is drawn in (SGR), so that one sequence does it again. */

/** Any of these takes the place of the one before it. 1 and 2 differ in theirs, and 22 ends both. */
const SLOTS = {
  foreground: [30, 31, 32, 33, 34, 35, 36, 37, 39, 90, 91, 92, 93, 94, 95, 96, 97],
  background: [40, 41, 42, 43, 44, 45, 46, 47, 49, 100, 101, 102, 103, 104, 105, 106, 107],
  line: [59],
  bold: [1],
  dim: [2],
  italic: [3, 23],
  underline: [4, 21, 24],
  blink: [5, 25],
  inverse: [7, 27],
  invisible: [8, 28],
  struck: [9, 29],
  overlined: [53, 55],
} as const;
const NAMES = Object.keys(SLOTS) as (keyof typeof SLOTS)[];
const HIGHEST_CODE = 107;
const NONE = 255;
/** The slot of each code that stands alone. */
const SLOT_OF = slotTable();
/** The slot that `38 ; …`, `48 ; …` and `58 ; …` set. */
const COLOUR_SLOTS: Readonly<Record<number, number>> = {
  38: NAMES.indexOf("foreground"),
  48: NAMES.indexOf("background"),
  58: NAMES.indexOf("line"),
};
const COLOUR_CODES = [38, 48, 58];
const BOLD = NAMES.indexOf("bold");
const DIM = NAMES.indexOf("dim");
const NOT_BOLD_NOR_DIM = 22;

/** How a slot keeps `… ; 5 ; n` and `… ; 2 ; r ; g ; b` in one number. Codes that stand alone are smaller. */
const PALETTE = 0x1000;
const RGB = 0x1000000;

export class Pen {
  /** 0: not touched. */
  readonly #slots = new Int32Array(NAMES.length);
  #reset = false;

  /** From now on nothing was done. */
  forget(): void {
    this.#slots.fill(0);
    this.#reset = false;
  }

  /** Takes one sequence; false when it holds anything whose meaning is not known here. */
  take(params: Int32Array, count: number): boolean {
    for (let at = 0; at < count;) {
      const taken = this.#takeOne(params, at, count);
      if (taken === 0) return false;
      at += taken;
    }
    return true;
  }

  /** Does all of it again; empty when nothing was done. */
  sequence(): string {
    const done = [...this.#slots].flatMap((value, slot) => (value === 0 ? [] : [[slot, value] as const]));
    // The end of bold is also the end of dim: first what ends, then what began after it.
    const ends = done.some(([, value]) => value === NOT_BOLD_NOR_DIM) ? [String(NOT_BOLD_NOR_DIM)] : [];
    const others = done
      .filter(([, value]) => value !== NOT_BOLD_NOR_DIM)
      .map(([slot, value]) => spelled(slot, value));
    const codes = [...(this.#reset ? ["0"] : []), ...ends, ...others];
    return codes.length === 0 ? "" : `\u001b[${codes.join(";")}m`;
  }

  /** How many parameters it took; 0 for what is not known. */
  #takeOne(params: Int32Array, at: number, count: number): number {
    const code = params[at] ?? 0;
    if (code === 0) {
      this.#slots.fill(0);
      this.#reset = true;
      return 1;
    }
    const colour = COLOUR_SLOTS[code];
    if (colour !== undefined) return this.#takeColour(colour, params, at, count);
    if (code === NOT_BOLD_NOR_DIM) {
      this.#slots[BOLD] = this.#slots[DIM] = code;
      return 1;
    }
    const slot = code <= HIGHEST_CODE ? (SLOT_OF[code] ?? NONE) : NONE;
    if (slot === NONE) return 0;
    this.#slots[slot] = code;
    return 1;
  }

  #takeColour(slot: number, params: Int32Array, at: number, count: number): number {
    const kind = at + 2 < count ? params[at + 1] : 0;
    const first = params[at + 2] ?? 0;
    if (kind === 5 && first <= 255) {
      this.#slots[slot] = PALETTE | first;
      return 3;
    }
    const green = params[at + 3] ?? 0;
    const blue = params[at + 4] ?? 0;
    if (kind !== 2 || at + 5 > count || first > 255 || green > 255 || blue > 255) return 0;
    this.#slots[slot] = RGB | (first << 16) | (green << 8) | blue;
    return 5;
  }
}

function spelled(slot: number, value: number): string {
  const code = COLOUR_CODES.find((colour) => COLOUR_SLOTS[colour] === slot);
  if (value >= RGB) return `${code};2;${(value >> 16) & 255};${(value >> 8) & 255};${value & 255}`;
  return value >= PALETTE ? `${code};5;${value & 255}` : String(value);
}

function slotTable(): Uint8Array {
  const table = new Uint8Array(HIGHEST_CODE + 1).fill(NONE);
  NAMES.forEach((name, slot) => SLOTS[name].forEach((code) => (table[code] = slot)));
  return table;
}
