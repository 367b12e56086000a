/** Which of several hubs that start serves: the holder of the lock (ADR 5). */
import { setTimeout as pause } from "node:timers/promises";
import type { Paths } from "../../config/paths.js";
import { hubSocket } from "../../config/private-files.js";
import type { Clock } from "../../model/clock.js";
import { dial } from "../../wire/dial.js";
import { HUB_CALLS } from "../../wire/messages.js";
import { Peer } from "../../wire/peer.js";
import type { HubSelf } from "./connection.js";
import { takeHubLock, type HubLock } from "./lock.js";

/** A hub that stops has closed its socket but may still end its channels; a newcomer waits this long for its lock. */
const LOCK_PATIENCE_MS = 10_000;
/** One that makes way finishes its answers first. Longer than DRAIN_LIMIT_MS and the end of its channels together. */
const YIELD_PATIENCE_MS = 20_000;
const LOCK_RETRY_MS = 50;
/** A hub answers in milliseconds; what does not answer at all is not asked for long. */
const YIELD_ANSWER_MS = 2_000;

export interface ElectOptions {
  readonly paths: Paths;
  readonly clock: Clock;
  readonly self: HubSelf;
}

/**
 * Null where another hub serves. One loses only to a hub that answers: a holder that does not is on its way out (or dead: then its
 * lock is free at once). A service manager's hub asks the one that serves to make way. Errors: ATB_FILE_DENIED, ATB_HUB_UNREACHABLE.
 */
export async function electOne({ paths, clock, self }: ElectOptions): Promise<HubLock | null> {
  let deadline = clock.monotonic() + LOCK_PATIENCE_MS;
  let asked = false;
  for (;;) {
    const lock = takeHubLock(paths.hubLock);
    if (lock) return lock;
    if (clock.monotonic() >= deadline) return null;
    if (!asked && (await somebodyServes(paths))) {
      if (!self.service || !(await makesWay(paths, self, clock))) return null;
      asked = true;
      deadline = clock.monotonic() + YIELD_PATIENCE_MS;
    }
    await pause(LOCK_RETRY_MS);
  }
}

async function somebodyServes(paths: Paths): Promise<boolean> {
  try {
    (await dial(hubSocket(paths))).destroy();
    return true;
  } catch {
    return false;
  }
}

async function makesWay(paths: Paths, self: HubSelf, clock: Clock): Promise<boolean> {
  try {
    const hub = new Peer(await dial(hubSocket(paths)), { remote: HUB_CALLS, clock });
    const { yields } = await hub
      .call("hub.yield", self, { timeoutMs: YIELD_ANSWER_MS })
      .finally(() => hub.close());
    return yields;
  } catch {
    return false;
  }
}
