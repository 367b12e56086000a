/** Which of several hubs that start serves: the holder of the lock (ADR 5). */
import { setTimeout as pause } from "node:timers/promises";
import type { Paths } from "../../config/paths.js";
import type { Clock } from "../../model/clock.js";
import type { HubSelf } from "./connection.js";
import { takeHubLock, type HubLock } from "./lock.js";

/** A hub that stops has closed its socket but may still end its channels; a newcomer waits this long for its lock. */
const LOCK_PATIENCE_MS = 10_000;
/** One that makes way finishes its answers first. Longer than DRAIN_LIMIT_MS and the end of its channels together. */
const YIELD_PATIENCE_MS = 20_000;
const LOCK_RETRY_MS = 50;
/** The hub that serves already, as it is found over its socket. */
export interface ServingHub {
  /** It answers, and has proved to be this user's. */
  isThere(): Promise<boolean>;
  /** Asks it to make way for `self`. False where it stays, or does not answer. */
  makesWayFor(self: HubSelf): Promise<boolean>;
}

export interface ElectOptions {
  readonly paths: Paths;
  readonly clock: Clock;
  readonly self: HubSelf;
  readonly serving: ServingHub;
}

/**
 * Null where another hub serves. One loses only to a hub that answers: a holder that does not is on its way out (or dead: then its
 * lock is free at once). A service manager's hub asks the one that serves to make way. Errors: ATB_FILE_DENIED, ATB_HUB_UNREACHABLE.
 */
export async function electOne({ paths, clock, self, serving }: ElectOptions): Promise<HubLock | null> {
  let deadline = clock.monotonic() + LOCK_PATIENCE_MS;
  let asked = false;
  for (;;) {
    const lock = takeHubLock(paths.hubLock);
    if (lock) return lock;
    if (clock.monotonic() >= deadline) return null;
    if (!asked && (await serving.isThere())) {
      if (!self.service || !(await serving.makesWayFor(self))) return null;
      asked = true;
      deadline = clock.monotonic() + YIELD_PATIENCE_MS;
    }
    await pause(LOCK_RETRY_MS);
  }
}
