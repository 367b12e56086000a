/** Repairs the hub's socket, address and secret files: a hub runs for weeks, and temporary directories get cleaned up. */
import type { Cancel, Clock } from "../../model/clock.js";

/** Clients cannot connect for at most this long. A check costs 0.1 ms. */
export const ENTRANCE_CHECK_MS = 500;

export type Damage = "socket" | "address" | "secret";

export interface EntranceMonitor {
  /** Whether the lock file is still the one that this hub holds. */
  readonly holdsLock: () => boolean;
  readonly findDamage: () => Damage | null;
  readonly settle: (damage: Damage) => Promise<void>;
  readonly onMended: (damage: Damage) => void;
  /** The directory was replaced: another hub can be elected in it, so this one must stop. */
  readonly onDisplaced: () => void;
  readonly onTrouble: (error: unknown) => void;
}

async function mend({ findDamage, settle, onMended }: EntranceMonitor): Promise<void> {
  for (let damage = findDamage(), last: Damage | null = null; damage !== null && damage !== last;) {
    await settle(damage);
    onMended(damage);
    last = damage;
    damage = findDamage();
  }
}

export function maintainEntrance(clock: Clock, place: EntranceMonitor): Cancel {
  let running = true;
  let stopTimer: Cancel = () => undefined;
  const lookLater = (): void => {
    if (running) stopTimer = clock.after(ENTRANCE_CHECK_MS, () => void look());
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
