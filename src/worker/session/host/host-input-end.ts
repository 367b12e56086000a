/** Passes the end of a piped stdin to a tool that has a terminal, as a person would: with Ctrl-D at the start of a line. */
import type { Clock } from "../../../model/clock.js";
import type { Terminal } from "../../process/terminal.js";
import type { TtyFacts } from "../../process/facts/tty-facts.js";

/** Ctrl-D: the end-of-file character of a new terminal. */
const END_OF_FILE = 0x04;
const LINE_FEED = 0x0a;
/** The time for a full-screen tool to leave line mode. After that the character would be a key press, often "quit". */
const START_GRACE_MS = 3000;
const LOOK_EVERY_MS = 100;

export interface EndInputOptions {
  readonly terminal: Pick<Terminal, "write" | "drained" | "alive">;
  readonly facts: Pick<TtyFacts, "read">;
  readonly clock: Clock;
  readonly lastByte: number | undefined;
}

/**
 * Ends the tool's input as soon as it reads lines, or after the grace, but never in a mode in which the character would be a key. After an
 * unfinished line it is typed twice, because the first one only submits the line.
 */
export async function endInput({ terminal, facts, clock, lastByte }: EndInputOptions): Promise<void> {
  await terminal.drained();
  const deadline = clock.monotonic() + START_GRACE_MS;
  while (terminal.alive) {
    const { canonical, blockedOnRead } = await facts.read();
    const late = clock.monotonic() >= deadline;
    if (canonical && (blockedOnRead || late)) {
      const lineIsOpen = lastByte !== undefined && lastByte !== LINE_FEED;
      await terminal.write(Uint8Array.from(lineIsOpen ? [END_OF_FILE, END_OF_FILE] : [END_OF_FILE]));
      return;
    }
    if (late) return;
    await new Promise<void>((resolve) => clock.after(LOOK_EVERY_MS, resolve));
  }
}
