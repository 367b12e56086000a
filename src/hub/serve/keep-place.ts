/** A hub lives for weeks, and files in temporary and runtime directories do not always: it looks after its own. */
import type { Cancel, Clock } from "../../model/clock.js";

/** A session that starts meanwhile cannot connect for this long at worst; three looks at a file cost nothing. */
export const PLACE_CHECK_MS = 5_000;

export interface Place {
  /** The lock's file is still the one that is held. */
  readonly holdsLock: () => boolean;
  /** Socket and address are where others look for them. */
  readonly canBeFound: () => boolean;
  /** Puts them there again. Rejects where that cannot be done now. */
  readonly settle: () => Promise<void>;
  /** The directory is another one: whoever starts a hub in it is elected, and this one must not go on beside it. */
  readonly onDisplaced: () => void;
  readonly onTrouble: (error: unknown) => void;
}

/** Looks again and again until cancelled, or displaced. */
export function keepPlace(clock: Clock, place: Place): Cancel {
  let running = true;
  let stopTimer: Cancel = () => undefined;
  const lookLater = (): void => {
    if (running) stopTimer = clock.after(PLACE_CHECK_MS, () => void look());
  };
  const look = async (): Promise<void> => {
    if (!place.holdsLock()) {
      place.onDisplaced();
      return;
    }
    try {
      if (!place.canBeFound()) await place.settle();
    } catch (error) {
      place.onTrouble(error);
    }
    lookLater();
  };
  lookLater();
  return () => {
    running = false;
    stopTimer();
  };
}
