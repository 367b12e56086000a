/** The terminal into which an answer is typed, and how to wait for what it shows. */
import type { Cancel, Clock } from "../../model/clock.js";
import type { TerminalDriver } from "./terminal-driver.js";

/** Tests have a terminal without a process. */
export type TerminalPort = Pick<TerminalDriver, keyof TerminalDriver>;

/** The first result of `check`, which is called now, after every frame, and at the end of the time. Null: there was none. */
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

/** Waits until all output is on the screen; false when that took longer than `withinMs`. */
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
