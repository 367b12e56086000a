import type { Paths } from "../../config/paths.js";
import { ensureHubDirectories } from "../../config/private-files.js";
import { formatInstant } from "../../model/clock.js";
import { systemClock } from "../../observe/clock.js";
import { appendToLog } from "../../observe/log-file.js";
import { identifyHub } from "./meet-hub.js";
import { createInsideError, isInsideSession } from "./start-hub.js";

/** Refuses to start a hub from inside a session, and reports that to the running hub or its log. Errors: ATB_SUPERVISED. */
export async function refuseStart(paths: Paths): Promise<void> {
  if (!isInsideSession()) return;
  const met = await identifyHub({ paths }).catch(() => null);
  const report = met?.hub.call("hub.start_refused", {}).then(() => true);
  const isReported = (await report?.catch(() => false)) ?? false;
  met?.hub.close();
  if (!isReported) logRefusal(paths);
  throw createInsideError();
}

function logRefusal(paths: Paths): void {
  // The folder does not exist before the first hub.
  ensureHubDirectories(paths);
  const time = formatInstant(systemClock.now());
  const msg = "refused to start a hub from inside a session";
  appendToLog(paths.hubLog, `${JSON.stringify({ level: "warn", time, pid: process.pid, msg })}\n`);
}
