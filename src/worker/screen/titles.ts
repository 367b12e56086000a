/**
 * Reads the window's title, up to a maximum length. The emulator drops all other text commands (links, colours, the clipboard).
 */
import type { Terminal } from "@xterm/headless";
import { getInnerEmulator, type TextHandler } from "./emulator/inner-emulator.js";

/** In code points. No terminal shows as many, and a title is kept with every picture. */
export const TITLE_LENGTH_MAX = 4096;

const TITLES = [0, 2];
/** Commands that the emulator would store or process, however long they are: icon names, colours, links. */
const UNUSED = [1, 4, 8, 10, 11, 12, 104, 110, 111, 112];

export function watchTitle(terminal: Terminal, onTitle: (title: string) => void): void {
  const { parser } = getInnerEmulator(terminal);
  for (const code of [...TITLES, ...UNUSED]) parser.clearOscHandler(code);
  for (const code of TITLES) parser.registerOscHandler(code, createTitleReader(onTitle));
  const ignore = { start: () => undefined, put: () => undefined, end: () => true };
  for (const code of UNUSED) parser.registerOscHandler(code, ignore);
}

function createTitleReader(onTitle: (title: string) => void): TextHandler {
  let codePoints: number[] = [];
  return {
    start: () => (codePoints = []),
    put: (text, start, end) => {
      const room = TITLE_LENGTH_MAX - codePoints.length;
      if (room > 0) codePoints.push(...text.subarray(start, Math.min(end, start + room)));
    },
    end: (isWhole) => {
      if (isWhole) onTitle(String.fromCodePoint(...codePoints));
      codePoints = [];
      return true;
    },
  };
}
