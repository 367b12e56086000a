/** A person's command to start a hub is not taken from inside a session, and that it was given is on record. */
import type { Paths } from "../../config/paths.js";
import { ensureHubDirectories } from "../../config/private-files.js";
import { isoInstant } from "../../model/clock.js";
import { systemClock } from "../../observe/clock.js";
import { appendToLog } from "../../observe/log-file.js";
import { meetHub } from "./meet-hub.js";
import { insideSession, isInsideSession } from "./start-hub.js";

/** Told to the hub that serves, or written into the hub's log where none does. Errors: ATB_SUPERVISED. */
export async function refuseStart(paths: Paths): Promise<void> {
  if (!isInsideSession()) return;
  const met = await meetHub({ paths }).catch(() => null);
  const told = met?.hub.call("hub.start_refused", {}).then(() => true);
  const isTold = (await told?.catch(() => false)) ?? false;
  met?.hub.close();
  if (!isTold) logRefusal(paths);
  throw insideSession();
}

function logRefusal(paths: Paths): void {
  // Where no hub has ever run there is no folder for it yet.
  ensureHubDirectories(paths);
  const time = isoInstant(systemClock.now());
  const msg = "a hub was not started from inside a session";
  appendToLog(paths.hubLog, `${JSON.stringify({ level: "warn", time, pid: process.pid, msg })}\n`);
}
