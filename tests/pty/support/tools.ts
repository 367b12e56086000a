/** Real tools in real terminals, for the suites of the byte edge. */
import { systemClock } from "../../../src/observe/clock.js";
import { openPty } from "../../../src/worker/pty/pty.js";
import type { Terminal, TerminalSize } from "../../../src/worker/process/terminal.js";
import { environment } from "./environment.js";

export { environment };
export const AGENTS = "tests/fixtures/agents";

export interface StartOptions {
  readonly size?: TerminalSize;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export function start(command: readonly string[], options: StartOptions = {}): Terminal {
  return openPty({
    command,
    env: options.env ?? environment(),
    cwd: options.cwd ?? process.cwd(),
    size: options.size ?? { cols: 80, rows: 24 },
    clock: systemClock,
  });
}

export class Collector {
  readonly #chunks: Uint8Array[] = [];
  #wake: () => void = () => undefined;

  constructor(terminal: Terminal) {
    terminal.onData((chunk) => {
      this.#chunks.push(chunk);
      this.#wake();
    });
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  get text(): string {
    return this.bytes.toString("latin1");
  }

  async until(pattern: RegExp | ((text: string) => boolean)): Promise<string> {
    const fits = typeof pattern === "function" ? pattern : (text: string) => pattern.test(text);
    while (!fits(this.text)) await new Promise<void>((resolve) => (this.#wake = resolve));
    return this.text;
  }
}

/** Resolves when `fits` says so, looking every few milliseconds: for what has no event. */
export async function until(fits: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await fits())) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Bytes in which nothing repeats for long, so that a gap cannot hide; no byte that a terminal would change. */
export function pattern(bytes: number): Buffer {
  const line = (number: number) => `${number.toString(36)}:${((number * 2654435761) >>> 0).toString(36)};`;
  let text = "";
  for (let number = 0; text.length < bytes; number++) text += line(number);
  return Buffer.from(text.slice(0, bytes));
}
