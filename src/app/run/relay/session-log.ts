/** Writes a session's warnings into the hub's log, in the hub's format. `fields` must already be safe for a log. */
import type { Paths } from "../../../config/paths.js";
import { formatInstant } from "../../../model/clock.js";
import type { SessionId } from "../../../model/ids.js";
import { systemClock } from "../../../observe/clock.js";
import { appendToLog } from "../../../observe/log-file.js";

export function warnInLog(
  { hubLog }: Pick<Paths, "hubLog">,
  sessionId: SessionId,
  msg: string,
  fields: Readonly<Record<string, unknown>>,
): void {
  const time = formatInstant(systemClock.now());
  appendToLog(
    hubLog,
    `${JSON.stringify({ level: "warn", time, pid: process.pid, sessionId, ...fields, msg })}\n`,
  );
}
