/** Lets a hub exit when nobody needs it. */
import type { Cancel, Clock } from "../../model/clock.js";

/**
 * Long enough that a day of short sessions starts one hub, not fifty; short enough that it has ended when the laptop is closed.
 */
export const IDLE_EXIT_MS = 10 * 60_000;
export const IDLE_CHECK_MS = 30_000;

/** Calls `onIdle` once `isIdle` was true at every check for IDLE_EXIT_MS. */
export function watchIdle(clock: Clock, isIdle: () => boolean, onIdle: () => void): Cancel {
  let idleSince: number | null = null;
  let stop = clock.after(IDLE_CHECK_MS, check);
  function check(): void {
    idleSince = isIdle() ? (idleSince ?? clock.monotonic()) : null;
    if (idleSince !== null && clock.monotonic() - idleSince >= IDLE_EXIT_MS) onIdle();
    else stop = clock.after(IDLE_CHECK_MS, check);
  }
  return () => stop();
}
