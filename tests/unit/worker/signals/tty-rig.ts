import { ManualClock } from "../../../../src/observe/clock.js";
import type { TerminalReaders } from "../../../../src/worker/process/facts/process-facts.js";
import type { TtySignals } from "../../../../src/worker/process/facts/tty-facts.js";
import { ReaderCheck } from "../../../../src/worker/signals/reader-check.js";
import { TtyWatch } from "../../../../src/worker/signals/tty-watch.js";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The watch on a tty, and the check of who reads there, on facts that the test sets in `now`. */
export function rig() {
  const clock = new ManualClock();
  const readers: TerminalReaders = { blocked: undefined, readers: [] };
  const now = { facts: {} as TtySignals, wanted: true, isAsked: false, readers };
  const readAt: number[] = [];
  let told = 0;
  const watch = new TtyWatch({
    clock,
    read: () => {
      readAt.push(clock.monotonic());
      return Promise.resolve(now.facts);
    },
    isWanted: () => now.wanted,
    readers: () => now.readers,
    authors: null,
  });
  watch.onFacts(() => told++);
  const check = new ReaderCheck({ clock, tty: watch, hasPrompt: () => now.isAsked });
  const pass = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await turn();
  };
  return { watch, check, now, readAt, pass, clock, told: () => told };
}
