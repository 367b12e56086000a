/** The window's title, at most so long. Of all other commands in text form (links, colours, the clipboard) the emulator keeps nothing. */
import type { Terminal } from "@xterm/headless";
import { innerEmulator } from "./emulator/inner-emulator.js";

/** Code points. No terminal shows as many, and a title is kept with every picture. */
export const TITLE_LENGTH_MAX = 4096;

const TITLES = [0, 2];
/** What the emulator would keep or work through, however long it is: icon names, colours, links. */
const UNUSED = [1, 4, 8, 10, 11, 12, 104, 110, 111, 112];

export function watchTitle(terminal: Terminal, onTitle: (title: string) => void): void {
  const { parser } = innerEmulator(terminal);
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
