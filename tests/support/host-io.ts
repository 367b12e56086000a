/** The user's side of a run, made of streams. */
import type { EventEmitter } from "node:events";
import { ManualClock } from "../../src/observe/clock.js";
import type { HostIo } from "../../src/worker/session/host/host-terminal.js";

/** Without a terminal and alone: nobody stops it. */
export function hostIo(
  parts: Pick<HostIo, "input" | "output" | "measure"> & { events: EventEmitter },
): HostIo {
  return {
    rawMode: null,
    hasKeys: false,
    isScreen: false,
    writeAvailable: null,
    writeNow: () => undefined,
    job: {
      isInBackground: false,
      waitBeforeStop: () => Promise.resolve(),
      stop: () => Promise.resolve(false),
    },
    isGone: () => false,
    endBy: () => undefined,
    clock: new ManualClock(),
    ...parts,
  };
}
