/** How old stored rows are at most, although the wall clock that stamped them was set meanwhile. */
import { findClockOffset, type ClockStep } from "../../../model/clock.js";
import { CLOCK_STEPS as STORED } from "../../store/asked-prompts.js";
import type { Ledger } from "../ledger.js";

/** More are merged: a clock that is set so often is never right, and rows are only kept longer. */
const STEPS_MAX = 100;

/** Notes a clock that was set. Call regularly: rows count by the earlier clock until then. */
export function noteClockSteps(ledger: Ledger): void {
  ledger.followClock();
  const steps = readSteps(ledger);
  const { movedByMs } = ledger;
  if (steps.at(-1)?.movedByMs === movedByMs) return;
  const from = steps.length === 0 ? 0 : ledger.options.clock.now() - movedByMs;
  const all = mergeOldest([...steps, { from, movedByMs }]);
  ledger.store.write(() => ledger.store.settings.set(STORED.scope, STORED.key, JSON.stringify(all)));
}

/** Every row that is stamped before this instant is older than `ageMs`, by whichever clock it was stamped. */
export function findStampOfAge(ledger: Ledger, ageMs: number): number {
  const { movedByMs } = ledger;
  const youngest = ledger.options.clock.now() - movedByMs - ageMs;
  const steps = readSteps(ledger);
  const valid = steps.filter((_, at) => (steps[at + 1]?.from ?? Infinity) > youngest);
  return youngest + Math.min(movedByMs, ...valid.map((step) => step.movedByMs));
}

/** Which of `stamps` the wall clock showed before it was set, as far as can be known: no age follows from them. */
export function findClockSetSince<K extends string>(
  ledger: Ledger,
  stamps: Readonly<Record<K, number | null>>,
): { readonly clockSetSince?: K[] } {
  const now = ledger.options.clock.now();
  const offset = ledger.movedByMs + ledger.clockSetByMs;
  const steps = readSteps(ledger);
  // The newest step may not be noted yet.
  const last = { from: steps.length === 0 ? 0 : now - offset, movedByMs: offset };
  const all = steps.at(-1)?.movedByMs === offset ? steps : [...steps, last];
  const names = Object.keys(stamps) as K[];
  const found = names.filter((name) => {
    const stamp = stamps[name];
    return stamp !== null && findClockOffset(all, stamp, now) !== offset;
  });
  return found.length === 0 ? {} : { clockSetSince: found };
}

function readSteps(ledger: Ledger): readonly ClockStep[] {
  return (ledger.store.settings.getJson(STORED.scope, STORED.key) ?? []) as readonly ClockStep[];
}

function mergeOldest([first, second, ...rest]: readonly ClockStep[]): readonly ClockStep[] {
  if (!first || !second) return first ? [first] : [];
  if (rest.length + 2 <= STEPS_MAX) return [first, second, ...rest];
  return [{ from: first.from, movedByMs: Math.min(first.movedByMs, second.movedByMs) }, ...rest];
}
