import type { Clock } from "../../src/sdk/channel.js";

/** Resolves after `ms`, or at once when `stop` fires. Never rejects. */
export function wait(clock: Clock, ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (stop.aborted) {
      resolve();
      return;
    }
    const finish = (): void => {
      cancel();
      stop.removeEventListener("abort", finish);
      resolve();
    };
    const cancel = clock.after(ms, finish);
    stop.addEventListener("abort", finish);
  });
}
