/** The seam through which answers are put in: one live terminal, its screen, and its clock. */
import type { Cancel, Clock } from "../../model/clock.js";
import type { ToolState } from "../../model/tool-state.js";
import type { Candidate } from "../../sdk/candidate.js";
import type { View } from "../../sdk/view.js";

export interface TerminalPort {
  readonly clock: Clock;
  /** The picture as parsed until now. */
  view(): View;
  /** What the rules find in that picture now, never a stored candidate. Null if it shows no prompt. */
  detect(): Candidate | null;
  /** What the tool does according to a picture, whatever is asked in it; null when the picture does not say. */
  detectState(view: View): ToolState | null;
  /** Whether the composer is drawn in a picture with nothing typed in it. */
  hasEmptyComposer(view: View): boolean;
  /**
   * Reads the output that is waiting now; false when there was none. True: the picture is out of date and must settle again.
   */
  readPending(): boolean;
  /** Resolves when the emulator has parsed all it was given and one event-loop turn passed without data. */
  waitUntilParsed(): Promise<void>;
  /**
   * Begins to write in this very turn of the event loop. What the terminal has not taken after `withinMs` is taken back (0: in
   * this turn too, so that no key can reach a later picture). Resolves to how many bytes went in; rejects when that is not known.
   */
  write(bytes: Uint8Array, withinMs: number): Promise<number>;
  /** When the person at the keyboard last typed, on the monotonic clock; rises also for keys that the caller holds back. */
  typedAt(): number;
  /** Foreground process group of the terminal; null where it cannot be seen. */
  foregroundGroup(): number | null;
  /** The tool is running. */
  isAlive(): boolean;
  /** The tool was ended from outside: by a signal, or because we were asked to end. */
  wasEnded(): boolean;
  /** Output bytes since the start: all that have come, and those in the picture. */
  outputBytes(): { readonly written: number; readonly parsed: number };
  /** While on, `onFrame` is called after every drawing step, not only after each chunk of output. */
  setStepped(on: boolean): void;
  /** See `Terminal`; output that is not in the picture yet is counted as queued. */
  readQueues(): { readonly input: number; readonly output: number } | null;
  /** Calls back after every changed frame and when the tool ends. */
  onFrame(callback: () => void): Cancel;
}

/** The first result of `check`, which is called now, after every frame, and once more when the time is up; null when there is none. */
export function waitFor<T>(port: TerminalPort, check: () => T | null, withinMs: number): Promise<T | null> {
  return new Promise((resolve) => {
    const now = check();
    if (now !== null || withinMs <= 0) {
      resolve(now);
      return;
    }
    const finish = (found: T | null): void => {
      stopFrames();
      stopTimer();
      resolve(found);
    };
    const stopFrames = port.onFrame(() => {
      const found = check();
      if (found !== null) finish(found);
    });
    const stopTimer = port.clock.after(withinMs, () => finish(check()));
  });
}

/** Waits until the screen is settled; false when that took longer than `withinMs`. */
export async function settle(port: TerminalPort, withinMs: number): Promise<boolean> {
  let stopTimer: Cancel = () => undefined;
  const late = new Promise<false>((resolve) => {
    stopTimer = port.clock.after(withinMs, () => resolve(false));
  });
  const settled = await Promise.race([port.waitUntilParsed().then(() => true), late]);
  stopTimer();
  return settled;
}

export function pause(clock: Clock, ms: number): Promise<void> {
  return ms <= 0 ? Promise.resolve() : new Promise((resolve) => void clock.after(ms, resolve));
}
