/** A hub lives for weeks, and files in temporary and runtime directories do not always: it looks after its own. */
import type { Cancel, Clock } from "../../model/clock.js";

/** Whoever starts meanwhile cannot connect for this long at worst, and it is on record within a second. A look costs 0.1 ms. */
export const PLACE_CHECK_MS = 500;

/** What leads to the hub and is not as the hub made it. */
export type Damage = "socket" | "address" | "secret";

export interface HubPlace {
  /** The lock's file is still the one that is held. */
  readonly holdsLock: () => boolean;
  /** Null while everything is where others look for it, with what belongs in it. */
  readonly findDamage: () => Damage | null;
  /** Puts it there again. Rejects where that cannot be done now. */
  readonly settle: (damage: Damage) => Promise<void>;
  readonly onMended: (damage: Damage) => void;
  /** The directory is another one: whoever starts a hub in it is elected, and this one must not go on beside it. */
  readonly onDisplaced: () => void;
  readonly onTrouble: (error: unknown) => void;
}

async function mend({ findDamage, settle, onMended }: HubPlace): Promise<void> {
  for (let damage = findDamage(), last: Damage | null = null; damage !== null && damage !== last;) {
    await settle(damage);
    onMended(damage);
    last = damage;
    damage = findDamage();
  }
}

/** Looks again and again until cancelled, or displaced. */
export function keepPlace(clock: Clock, place: HubPlace): Cancel {
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
      await mend(place);
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
