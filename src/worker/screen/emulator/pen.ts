/** Records the latest changes to the colours and styles in which text is drawn (SGR), so that one sequence can repeat them. */

/** Each code replaces the code before it in the same slot. 1 and 2 have slots of their own, and 22 ends both. */
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
/** Codes that begin a colour of several parameters. */
const COLOUR_CODES = [38, 48, 58];
const COLOURED = ["foreground", "background", "line"] as const;
const SLOT_BY_CODE = createSlotTable();
const BOLD = NAMES.indexOf("bold");
const DIM = NAMES.indexOf("dim");
const NOT_BOLD_NOR_DIM = 22;

/** How a slot stores `… ; 5 ; n` and `… ; 2 ; r ; g ; b` in one number. Codes that stand alone are smaller. */
const PALETTE = 0x1000;
const RGB = 0x1000000;

/** The recorded changes: a number for each slot (0: not changed), followed by 1 if everything was reset first. */
export type PenState = Int32Array;
const RESET = NAMES.length;

export class Pen {
  readonly #state: PenState = new Int32Array(NAMES.length + 1);

  forget(): void {
    this.#state.fill(0);
  }

  /** Records one sequence. Returns false when it contains a code whose meaning is not known here. */
  take(params: Int32Array, count: number): boolean {
    for (let at = 0; at < count;) {
      const taken = this.#takeOne(params, at, count);
      if (taken === 0) return false;
      at += taken;
    }
    return true;
  }

  getState(): PenState {
    return this.#state.slice();
  }

  /** Returns how many parameters it took; 0 for an unknown code. */
  #takeOne(params: Int32Array, at: number, count: number): number {
    const state = this.#state;
    const code = params[at] ?? 0;
    const slot = code <= HIGHEST_CODE ? (SLOT_BY_CODE[code] ?? NONE) : NONE;
    if (code === 0) {
      state.fill(0);
      state[RESET] = 1;
    } else if (code === NOT_BOLD_NOR_DIM) state[BOLD] = state[DIM] = code;
    else if (slot === NONE) return 0;
    else if (code === 38 || code === 48 || code === 58) return this.#takeColour(slot, params, at, count);
    else state[slot] = code;
    return 1;
  }

  #takeColour(slot: number, params: Int32Array, at: number, count: number): number {
    const kind = at + 2 < count ? params[at + 1] : 0;
    const first = params[at + 2] ?? 0;
    if (kind === 5 && first <= 255) {
      this.#state[slot] = PALETTE | first;
      return 3;
    }
    const green = params[at + 3] ?? 0;
    const blue = params[at + 4] ?? 0;
    if (kind !== 2 || at + 5 > count || first > 255 || green > 255 || blue > 255) return 0;
    this.#state[slot] = RGB | (first << 16) | (green << 8) | blue;
    return 5;
  }
}

/** Encodes all recorded changes as one sequence; empty when there are none. */
export function encodePen(state: PenState): string {
  const codes: string[] = [];
  for (let slot = 0; slot < RESET; slot++) {
    const value = state[slot] ?? 0;
    // The end of bold is also the end of dim. So what ends comes first, then what began after it.
    if (value === NOT_BOLD_NOR_DIM) codes.unshift(String(value));
    else if (value !== 0) codes.push(encodeSlot(slot, value));
  }
  if (state[RESET] === 1) codes.unshift("0");
  return codes.length === 0 ? "" : `\u001b[${codes.join(";")}m`;
}

function encodeSlot(slot: number, value: number): string {
  const code = COLOUR_CODES[COLOURED.findIndex((name) => name === NAMES[slot])];
  if (value >= RGB) return `${code};2;${(value >> 16) & 255};${(value >> 8) & 255};${value & 255}`;
  return value >= PALETTE ? `${code};5;${value & 255}` : String(value);
}

function createSlotTable(): Uint8Array {
  const table = new Uint8Array(HIGHEST_CODE + 1).fill(NONE);
  NAMES.forEach((name, slot) => SLOTS[name].forEach((code) => (table[code] = slot)));
  COLOUR_CODES.forEach((code, at) => (table[code] = NAMES.indexOf(COLOURED[at] ?? "line")));
  return table;
}
