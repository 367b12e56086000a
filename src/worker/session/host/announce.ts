import { makeVisible } from "../../../safety/display.js";

/** Prints our own lines while the tool does not use the terminal. Control characters in them are made visible. */
export function announce(lines: readonly (string | null)[]): void {
  for (const line of lines) if (line) process.stderr.write(`${makeVisible(line)}\n`);
}
