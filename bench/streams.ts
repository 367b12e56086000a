/** What tools write: plain logs, coloured logs, and a TUI that draws its whole screen again and again. */
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";

export interface Stream {
  readonly name: string;
  /** About so many. */
  readonly megabytes: number;
  /** About 64 KB of it, for a running number. */
  readonly block: (n: number) => string;
}

const WORDS = "building module resolves the cache and writes its output to disk in order".split(" ");

function sentence(seed: number): string {
  return Array.from({ length: 11 }, (_, i) => WORDS[(seed * 7 + i * 3) % WORDS.length]).join(" ");
}

function lines(count: number, line: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => line(i)).join("");
}

function drawn(n: number): string {
  const row = (i: number): string =>
    `\x1b[${i + 1};1H\x1b[48;5;${236 + (i % 4)}m ${n} ${sentence(n + i)}\x1b[K\x1b[m`;
  return `\x1b[?2026h\x1b[H${lines(40, row)}\x1b[?2026l`;
}

export const STREAMS: readonly Stream[] = [
  { name: "plain", megabytes: 96, block: (n) => lines(800, (i) => `${n * 800 + i} ${sentence(i)}\n`) },
  {
    name: "colour-heavy",
    megabytes: 96,
    block: (n) =>
      lines(500, (i) => {
        const [head = "", ...rest] = sentence(n + i).split(" ");
        return `\x1b[2m${n}\x1b[0m \x1b[1;3${i % 8}m${head}\x1b[0m ${rest.map((word, at) => `\x1b[38;5;${(at * 17) % 256}m${word}`).join(" ")}\x1b[0m\n`;
      }),
  },
  { name: "TUI redraws", megabytes: 64, block: (n) => lines(16, (i) => drawn(n * 16 + i)) },
];

export function writeStream(folder: string, { name, megabytes, block }: Stream): string {
  const file = join(folder, name.replaceAll(" ", "-"));
  const fd = openSync(file, "w");
  // Whole blocks: a frame cut in its middle would keep a multiplexer from drawing what follows.
  for (let n = 0, written = 0; written < megabytes * 1_000_000; n++) written += writeSync(fd, block(n));
  closeSync(fd);
  return file;
}
