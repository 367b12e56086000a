import { makeVisible } from "../../../safety/display.js";

/**
 * Prints lines of our own, before the terminal is the tool's, or once it is the user's again. A tool's words in them cannot affect
 * the terminal.
 */
export function announce(lines: readonly (string | null)[]): void {
  for (const line of lines) if (line) process.stderr.write(`${makeVisible(line)}\n`);
}
