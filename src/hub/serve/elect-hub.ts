/** Decides which of several starting hubs serves: the one that holds the lock (ADR 5). */
import { setTimeout as pause } from "node:timers/promises";
import type { Paths } from "../../config/paths.js";
import type { Clock } from "../../model/clock.js";
import type { HubInfo } from "./connection.js";
import { acquireHubLock, type HubLock } from "./lock.js";

/** A stopping hub has closed its socket but may still stop its channels; a new hub waits this long for its lock. */
const LOCK_PATIENCE_MS = 10_000;
/** A hub that yields finishes its answers first. Longer than DRAIN_LIMIT_MS plus stopping its channels. */
const YIELD_PATIENCE_MS = 20_000;
const LOCK_RETRY_MS = 50;
export interface ServingHub {
  isRunning(): Promise<boolean>;
  /** Asks it to yield to `self`. False if it refuses or does not respond. */
  askToYield(self: HubInfo): Promise<boolean>;
}

export interface ElectOptions {
  readonly paths: Paths;
  readonly clock: Clock;
  readonly self: HubInfo;
  readonly serving: ServingHub;
}

/**
 * Null if another hub serves. A starting hub yields only to a hub that responds: an unresponsive lock holder is exiting, and a
 * dead one's lock is free at once. A service manager's hub asks the serving one to yield. Errors: ATB_FILE_DENIED,
 * ATB_HUB_UNREACHABLE.
 */
export async function electHub({ paths, clock, self, serving }: ElectOptions): Promise<HubLock | null> {
  let deadline = clock.monotonic() + LOCK_PATIENCE_MS;
  let asked = false;
  for (;;) {
    const lock = acquireHubLock(paths.hubLock);
    if (lock) return lock;
    if (clock.monotonic() >= deadline) return null;
    if (!asked && (await serving.isRunning())) {
      if (!self.service || !(await serving.askToYield(self))) return null;
      asked = true;
      deadline = clock.monotonic() + YIELD_PATIENCE_MS;
    }
    await pause(LOCK_RETRY_MS);
  }
}
