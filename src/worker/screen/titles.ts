/**
 * Reads the window's title, up to a maximum length. The emulator drops all other text commands (links, colours, the clipboard).
 */
import type { Terminal } from "@xterm/headless";
import { getInnerEmulator } from "./emulator/inner-emulator.js";

/** In code points. No terminal shows as many, and a title is kept with every picture. */
export const TITLE_LENGTH_MAX = 4096;

const TITLES = [0, 2];
/** Commands that the emulator would store or process, however long they are: icon names, colours, links. */
const UNUSED = [1, 4, 8, 10, 11, 12, 104, 110, 111, 112];

export function watchTitle(terminal: Terminal, onTitle: (title: string) => void): void {
  const { parser } = getInnerEmulator(terminal);
  for (const code of [...TITLES, ...UNUSED]) parser.clearOscHandler(code);
  for (const code of TITLES) parser.registerOscHandler(code, new TitleReader(onTitle));
  const ignore = { start: () => undefined, put: () => undefined, end: () => true };
  for (const code of UNUSED) parser.registerOscHandler(code, ignore);
}

class TitleReader {
  readonly #onTitle: (title: string) => void;
  #codePoints: number[] = [];

  constructor(onTitle: (title: string) => void) {
    this.#onTitle = onTitle;
  }

  start(): void {
    this.#codePoints = [];
  }

  put(codePoints: Uint32Array, start: number, end: number): void {
    const room = TITLE_LENGTH_MAX - this.#codePoints.length;
    if (room > 0) this.#codePoints.push(...codePoints.subarray(start, Math.min(end, start + room)));
  }

  end(isWhole: boolean): boolean {
    if (isWhole) this.#onTitle(String.fromCodePoint(...this.#codePoints));
    this.#codePoints = [];
    return true;
  }
}
